package org.streammigrator.plan;

import java.util.Map;
import org.streammigrator.plan.Key.Form;

/** The options of a query's code. */
public record OptionsPlan(
    @Key(value = "The options of readStream.", form = Form.ANY_SCALAR) Map<String, String> read,
    @Key(value = "The options of writeStream.", form = Form.ANY_SCALAR)
        Map<String, String> write) {}
