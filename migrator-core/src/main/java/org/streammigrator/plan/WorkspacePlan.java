package org.streammigrator.plan;

import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** A Databricks workspace: a profile of the CLI's configuration, or a host with its credentials. */
public record WorkspacePlan(
    @Key("The profile in the Databricks configuration file.") Optional<String> profile,
    @Key("The workspace's URL, instead of a profile.") Optional<String> host,
    @Key(value = "A personal access token, as ${env:NAME}.", form = Form.SECRET)
        Optional<SecretText> token,
    @Key("The service principal's client id.") Optional<String> clientId,
    @Key(value = "The service principal's secret, as ${env:NAME}.", form = Form.SECRET)
        Optional<SecretText> clientSecret) {}
