//! The session that queries run in.

use crate::arguments::Query;
use crate::settings::settings;
use datafusion::error::Result;
use datafusion::execution::memory_pool::{FairSpillPool, TrackConsumersPool};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The consumers that an error for want of memory names.
const NAMED: NonZeroUsize = NonZeroUsize::new(3).unwrap();

pub async fn open(query: &Query) -> Result<SessionContext> {
    #[cfg(feature = "cluster")]
    if let Some(scheduler) = &query.cluster {
        return Ok(crate::cluster::connect(scheduler).await?.enable_url_table());
    }
    let config = settings(config());
    let mut runtime = RuntimeEnvBuilder::from_runtime_env(&*runtime(&config)?);
    if let Some(limit) = query.memory_limit {
        // Fair: an operator that cannot spill leaves room for those that can.
        runtime = runtime.with_memory_pool(Arc::new(TrackConsumersPool::new(
            FairSpillPool::new(limit),
            NAMED,
        )));
    }
    let ctx = SessionContext::new_with_config_rt(config, runtime.build_arc()?);
    lthash_datafusion::register_all(&ctx)?;
    Ok(ctx.enable_url_table())
}

/// Files of object stores need the crates that Ballista brings.
#[cfg(feature = "cluster")]
fn config() -> SessionConfig {
    SessionConfig::new().with_option_extension(ballista_core::object_store::S3Options::default())
}

#[cfg(feature = "cluster")]
fn runtime(config: &SessionConfig) -> Result<Arc<RuntimeEnv>> {
    ballista_core::object_store::runtime_env_with_s3_support(config)
}

#[cfg(not(feature = "cluster"))]
fn config() -> SessionConfig {
    SessionConfig::new()
}

#[cfg(not(feature = "cluster"))]
fn runtime(_: &SessionConfig) -> Result<Arc<RuntimeEnv>> {
    RuntimeEnvBuilder::new().build_arc()
}
