package org.streammigrator.plan;

import java.time.Duration;
import java.util.Optional;
import org.streammigrator.storage.Location;

/** Where the old checkpoint is packed to before anything else happens. */
public record ArchivePlan(
    @Key(value = "The directory that the archive is put into.", required = true) Location to,
    @Key(value = "The archive's format.", defaultsTo = "tar.zst") ArchiveFormat format,
    @Key(
            "How long the successor must have run cleanly before the old checkpoint may be released, such as 7d.")
        Optional<Duration> releaseAfter) {}
