//! What sessions are set to.

use datafusion::prelude::SessionConfig;

/// What suits these functions, on one machine and on a cluster.
pub fn settings(config: SessionConfig) -> SessionConfig {
    config
        .with_information_schema(true)
        // A row's partial state is far larger than the row.
        .set_str(
            "datafusion.execution.skip_partial_aggregation_probe_ratio_threshold",
            "1.0",
        )
}
