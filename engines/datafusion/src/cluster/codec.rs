//! Ballista's codecs, with the version of the functions sent beside their names.

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{TableReference, plan_err};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{
    AggregateUDF, Extension, HigherOrderUDF, LogicalPlan, ScalarUDF, WindowUDF,
};
use datafusion::physical_expr_common::physical_expr::proto_decode::PhysicalExprDecodeCtx;
use datafusion::physical_expr_common::physical_expr::proto_encode::PhysicalExprEncodeCtx;
use datafusion::physical_plan::{ExecutionPlan, PhysicalExpr};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use std::sync::Arc;

/// The version that this process has of the functions: of their arguments' elements and of their partial states.
const VERSION: &str = concat!("lthash-datafusion ", env!("CARGO_PKG_VERSION"));

fn is_ours(name: &str) -> bool {
    (crate::all_aggregate_functions()
        .iter()
        .any(|function| function.name() == name))
        || (crate::all_scalar_functions()
            .iter()
            .any(|function| function.name() == name))
}

/// Writes the version for a function of ours, and says whether it is one.
fn encode(name: &str, version: &str, buf: &mut Vec<u8>) -> bool {
    let is_ours = is_ours(name);
    if is_ours {
        buf.extend_from_slice(version.as_bytes());
    }
    is_ours
}

/// Refuses a function of ours that has another version, and gives what `functions` has.
fn decode<F: Clone>(
    name: &str,
    version: &str,
    buf: &[u8],
    functions: &[F],
    name_of: impl Fn(&F) -> &str,
) -> Result<Option<F>> {
    let Some(function) = functions.iter().find(|function| name_of(function) == name) else {
        return Ok(None);
    };
    if buf != version.as_bytes() {
        return plan_err!(
            "{name}: the plan was made with {}, this process has {version}: client, scheduler and executors need one version",
            if buf.is_empty() {
                "an unknown version".into()
            } else {
                String::from_utf8_lossy(buf)
            }
        );
    }
    Ok(Some(function.clone()))
}

/// A codec of Ballista's, under ours.
macro_rules! codec {
    ($(#[$attribute:meta])* $name:ident over $ballista:ident) => {
        $(#[$attribute])*
        #[derive(Debug)]
        pub struct $name {
            ballista: $ballista,
            version: &'static str,
        }

        impl Default for $name {
            fn default() -> Self {
                Self::with_version(VERSION)
            }
        }

        impl $name {
            /// As if the functions had this version, for tests.
            #[doc(hidden)]
            #[must_use]
            pub fn with_version(version: &'static str) -> Self {
                Self {
                    ballista: Default::default(),
                    version,
                }
            }
        }
    };
}

/// The methods that are equal in both traits: our functions with their version, others as Ballista has them.
macro_rules! functions {
    () => {
        fn try_decode_udf(&self, name: &str, buf: &[u8]) -> Result<Arc<ScalarUDF>> {
            match decode(
                name,
                self.version,
                buf,
                &crate::all_scalar_functions(),
                |function| function.name(),
            )? {
                Some(function) => Ok(function),
                None => self.ballista.try_decode_udf(name, buf),
            }
        }

        fn try_encode_udf(&self, node: &ScalarUDF, buf: &mut Vec<u8>) -> Result<()> {
            if encode(node.name(), self.version, buf) {
                return Ok(());
            }
            self.ballista.try_encode_udf(node, buf)
        }

        fn try_decode_udaf(&self, name: &str, buf: &[u8]) -> Result<Arc<AggregateUDF>> {
            match decode(
                name,
                self.version,
                buf,
                &crate::all_aggregate_functions(),
                |function| function.name(),
            )? {
                Some(function) => Ok(function),
                None => self.ballista.try_decode_udaf(name, buf),
            }
        }

        fn try_encode_udaf(&self, node: &AggregateUDF, buf: &mut Vec<u8>) -> Result<()> {
            if encode(node.name(), self.version, buf) {
                return Ok(());
            }
            self.ballista.try_encode_udaf(node, buf)
        }

        fn try_decode_udwf(&self, name: &str, buf: &[u8]) -> Result<Arc<WindowUDF>> {
            self.ballista.try_decode_udwf(name, buf)
        }

        fn try_encode_udwf(&self, node: &WindowUDF, buf: &mut Vec<u8>) -> Result<()> {
            self.ballista.try_encode_udwf(node, buf)
        }

        fn try_decode_higher_order_function(
            &self,
            name: &str,
            buf: &[u8],
        ) -> Result<Arc<HigherOrderUDF>> {
            self.ballista.try_decode_higher_order_function(name, buf)
        }

        fn try_encode_higher_order_function(
            &self,
            node: &HigherOrderUDF,
            buf: &mut Vec<u8>,
        ) -> Result<()> {
            self.ballista.try_encode_higher_order_function(node, buf)
        }
    };
}

codec! {
    /// Ballista's codec of logical plans, between client and scheduler, with the functions' version.
    LogicalCodec over BallistaLogicalExtensionCodec
}

impl LogicalExtensionCodec for LogicalCodec {
    functions!();

    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[LogicalPlan],
        ctx: &TaskContext,
    ) -> Result<Extension> {
        self.ballista.try_decode(buf, inputs, ctx)
    }

    fn try_encode(&self, node: &Extension, buf: &mut Vec<u8>) -> Result<()> {
        self.ballista.try_encode(node, buf)
    }

    fn try_decode_table_provider(
        &self,
        buf: &[u8],
        table_ref: &TableReference,
        schema: SchemaRef,
        ctx: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        self.ballista
            .try_decode_table_provider(buf, table_ref, schema, ctx)
    }

    fn try_encode_table_provider(
        &self,
        table_ref: &TableReference,
        node: Arc<dyn TableProvider>,
        buf: &mut Vec<u8>,
    ) -> Result<()> {
        self.ballista
            .try_encode_table_provider(table_ref, node, buf)
    }

    fn try_decode_file_format(
        &self,
        buf: &[u8],
        ctx: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.ballista.try_decode_file_format(buf, ctx)
    }

    fn try_encode_file_format(
        &self,
        buf: &mut Vec<u8>,
        node: Arc<dyn FileFormatFactory>,
    ) -> Result<()> {
        self.ballista.try_encode_file_format(buf, node)
    }
}

codec! {
    /// Ballista's codec of physical plans, between scheduler and executors, with the functions' version.
    PhysicalCodec over BallistaPhysicalExtensionCodec
}

impl PhysicalExtensionCodec for PhysicalCodec {
    functions!();

    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        ctx: &TaskContext,
        proto_converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.ballista.try_decode(buf, inputs, ctx, proto_converter)
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buf: &mut Vec<u8>,
        proto_converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        self.ballista.try_encode(node, buf, proto_converter)
    }

    fn try_decode_expr(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn PhysicalExpr>],
        ctx: &PhysicalExprDecodeCtx<'_>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        self.ballista.try_decode_expr(buf, inputs, ctx)
    }

    fn try_encode_expr(
        &self,
        node: &Arc<dyn PhysicalExpr>,
        buf: &mut Vec<u8>,
        ctx: &PhysicalExprEncodeCtx<'_>,
    ) -> Result<()> {
        self.ballista.try_encode_expr(node, buf, ctx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(codec: &PhysicalCodec, function: &AggregateUDF) -> Vec<u8> {
        let mut buf = Vec::new();
        codec.try_encode_udaf(function, &mut buf).unwrap();
        buf
    }

    #[test]
    fn functions_of_one_version_are_found() {
        let codec = PhysicalCodec::default();
        for function in crate::all_aggregate_functions() {
            let found = codec
                .try_decode_udaf(function.name(), &sent(&codec, &function))
                .unwrap();
            assert_eq!(found, function);
        }
        for function in crate::all_scalar_functions() {
            let mut buf = Vec::new();
            codec.try_encode_udf(&function, &mut buf).unwrap();
            assert_eq!(
                codec.try_decode_udf(function.name(), &buf).unwrap(),
                function
            );
        }
    }

    #[test]
    fn functions_of_another_version_are_refused() {
        let older = PhysicalCodec::with_version("lthash-datafusion 0.0.9");
        let function = crate::lthash_udaf();
        for (buf, found) in [
            (sent(&older, &function), "0.0.9"),
            (Vec::new(), "unknown version"),
        ] {
            let error = PhysicalCodec::default()
                .try_decode_udaf("lthash", &buf)
                .unwrap_err()
                .to_string();
            assert!(error.contains(found) && error.contains(VERSION), "{error}");
        }
        let mut buf = Vec::new();
        let older = LogicalCodec::with_version("lthash-datafusion 0.0.9");
        older.try_encode_udaf(&function, &mut buf).unwrap();
        assert!(
            LogicalCodec::default()
                .try_decode_udaf("lthash", &buf)
                .is_err()
        );
    }

    #[test]
    fn functions_of_the_engine_have_no_version() {
        let codec = PhysicalCodec::default();
        assert!(sent(&codec, &datafusion::functions_aggregate::sum::sum_udaf()).is_empty());
        assert!(
            codec.try_decode_udaf("sum", &[]).is_err(),
            "the registry has it, not the codec"
        );
    }
}
