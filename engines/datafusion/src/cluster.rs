//! What makes a [Ballista](https://datafusion.apache.org/ballista/) cluster know these functions: client, scheduler and
//! executors.
//!
//! A plan names its functions, and every process looks them up. Two processes with different versions of them could add up
//! hashes that do not belong together, so [`LogicalCodec`] and [`PhysicalCodec`] send the version with each name, and
//! refuse a plan of another one. [`connect`], [`scheduler`] and [`executor`] put functions and codecs in place, and
//! [`start_scheduler`] lets queries fail that the loss of an executor may have made wrong.

mod codec;
mod executors;
mod jobs;

pub use codec::{LogicalCodec, PhysicalCodec};

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::error::BallistaError;
use ballista_core::object_store::{
    runtime_env_with_s3_support, session_config_with_s3_support, session_state_with_s3_support,
};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::ExecutorProcessConfig;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service};
use datafusion::error::Result;
use datafusion::execution::SessionState;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use executors::Executors;
use jobs::Jobs;
use std::net::SocketAddr;
use std::sync::Arc;

/// A session whose queries run on a cluster, and that knows the functions.
///
/// `scheduler` is `HOST:PORT`; `settings` changes the session's settings before they are sent.
///
/// # Errors
///
/// If the address is not one. Whether the scheduler is there shows with the first query.
pub async fn connect(
    scheduler: &str,
    settings: impl FnOnce(SessionConfig) -> SessionConfig,
) -> Result<SessionContext> {
    let config = settings(session_config());
    let state = SessionStateBuilder::new()
        .with_runtime_env(runtime_env_with_s3_support(&config)?)
        .with_config(config)
        .with_default_features()
        .build();
    let ctx = SessionContext::remote_with_state(&format!("df://{scheduler}"), state).await?;
    // After the upgrade to a remote state, which puts Ballista's functions in place of all others.
    crate::register_all(&ctx)?;
    Ok(ctx)
}

/// A scheduler's configuration with the functions.
#[must_use]
pub fn scheduler(config: SchedulerConfig) -> SchedulerConfig {
    let mut config = config
        .with_override_config_producer(Arc::new(session_config))
        .with_override_session_builder(Arc::new(session_state));
    config.override_logical_codec = Some(Arc::new(LogicalCodec::default()));
    config.override_physical_codec = Some(Arc::new(PhysicalCodec::default()));
    config
}

/// Starts a scheduler, and runs until it is told to stop. The configuration is of [`scheduler`].
///
/// As Ballista's `start_server`, but a query fails if one of its stages had to begin again because an executor was lost: Ballista 55.0 may
/// read rows twice then, or never end. Only clients that poll (`ballista.client.pull`) can be told of success in the moment before.
///
/// # Errors
///
/// Those of Ballista: a configuration that is not valid, an address that cannot be used.
pub async fn start_scheduler(
    config: SchedulerConfig,
    address: SocketAddr,
) -> Result<(), BallistaError> {
    config.validate()?;
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let executors = Arc::new(Executors::new(cluster.cluster_state()));
    let jobs = Arc::new(Jobs(cluster.job_state()));
    let cluster = BallistaCluster::new(executors.clone(), jobs);
    let scheduler = create_scheduler(cluster, Arc::new(config)).await?;
    tokio::select! {
        served = start_grpc_service(address, scheduler.clone()) => served,
        stopped = jobs::cancel(&executors, scheduler) => stopped,
    }
}

/// An executor's configuration with the functions.
///
/// # Errors
///
/// Those of DataFusion's registry.
pub fn executor(config: ExecutorProcessConfig) -> Result<ExecutorProcessConfig> {
    let functions = BallistaFunctionRegistry::from(&session_state(session_config())?);
    Ok(ExecutorProcessConfig {
        override_function_registry: Some(Arc::new(functions)),
        override_config_producer: Some(Arc::new(session_config)),
        override_runtime_producer: Some(Arc::new(runtime_env_with_s3_support)),
        override_logical_codec: Some(Arc::new(LogicalCodec::default())),
        override_physical_codec: Some(Arc::new(PhysicalCodec::default())),
        ..config
    })
}

fn session_config() -> SessionConfig {
    session_config_with_s3_support()
        // Ballista 55.0's adaptive planner forgets a stage whose executor dies after it was resolved: the query never ends.
        .with_ballista_adaptive_query_planner(false)
        .with_ballista_logical_extension_codec(Arc::new(LogicalCodec::default()))
        .with_ballista_physical_extension_codec(Arc::new(PhysicalCodec::default()))
}

fn session_state(config: SessionConfig) -> Result<SessionState> {
    let mut state = session_state_with_s3_support(config)?;
    crate::register_all_with(&mut state)?;
    Ok(state)
}
