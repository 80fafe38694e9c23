//! [`ExpandWildcards`]: `lthash(*)` is of all columns that a SELECT reads.

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, plan_err};
use datafusion::config::ConfigOptions;
use datafusion::error::Result;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::{expand_qualified_wildcard, expand_wildcard};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

/// Puts columns in place of `*` and `t.*` in calls of our functions, before the optimizer adds or takes columns.
///
/// Where a plan's node may have other columns than those that `SELECT *` has, as above a window or a GROUP BY, it refuses.
#[derive(Debug)]
pub(crate) struct ExpandWildcards;

impl AnalyzerRule for ExpandWildcards {
    fn name(&self) -> &str {
        "lthash_expand_wildcards"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        Ok(plan.transform_down_with_subqueries(expand)?.data)
    }
}

fn expand(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let mut calls = Vec::new();
    plan.apply_expressions(|expression| {
        expression.apply(|expression| {
            if arguments(expression).is_some_and(|arguments| arguments.iter().any(is_wildcard)) {
                calls.push(expression.to_string());
            }
            Ok(TreeNodeRecursion::Continue)
        })
    })?;
    let Some(call) = calls.first() else {
        return Ok(Transformed::no(plan));
    };
    let source = match &plan {
        LogicalPlan::Aggregate(aggregate) => Some(&aggregate.input),
        LogicalPlan::Projection(projection) => Some(&projection.input),
        _ => None,
    };
    let source = match source.map(AsRef::as_ref) {
        Some(source) if has_columns_of_tables(source) => source.clone(),
        _ => {
            return plan_err!(
                "{call}: name the columns, because the plan has others beside those of * here"
            );
        }
    };
    let names = NamePreserver::new(&plan);
    plan.map_expressions(|expression| {
        let name = names.save(&expression);
        let expanded = expression.transform(|mut expression| {
            let Some(arguments) = arguments_mut(&mut expression) else {
                return Ok(Transformed::no(expression));
            };
            *arguments = columns(std::mem::take(arguments), source.schema(), &source)?;
            if arguments.is_empty() {
                return plan_err!("{call}: the tables in FROM have no columns");
            }
            Ok(Transformed::yes(expression))
        })?;
        Ok(expanded.update_data(|expression| name.restore(expression)))
    })
}

/// Whether a plan has the columns of the tables in FROM and no others, such as those of GROUP BY and OVER.
fn has_columns_of_tables(mut plan: &LogicalPlan) -> bool {
    while let LogicalPlan::Filter(filter) = plan {
        plan = &filter.input;
    }
    !matches!(
        plan,
        LogicalPlan::Aggregate(_) | LogicalPlan::Window(_) | LogicalPlan::Unnest(_)
    )
}

/// Arguments with columns in place of wildcards.
fn columns(arguments: Vec<Expr>, schema: &DFSchema, source: &LogicalPlan) -> Result<Vec<Expr>> {
    let mut expanded = Vec::new();
    for argument in arguments {
        match argument {
            #[expect(deprecated, reason = "it is what the SQL planner makes of * in a call")]
            Expr::Wildcard { qualifier, options } => expanded.extend(match qualifier {
                None => expand_wildcard(schema, source, Some(&options))?,
                Some(table) => expand_qualified_wildcard(&table, schema, Some(&options))?,
            }),
            other => expanded.push(other),
        }
    }
    Ok(expanded)
}

fn is_wildcard(expression: &Expr) -> bool {
    #[expect(deprecated, reason = "it is what the SQL planner makes of * in a call")]
    let is_wildcard = matches!(expression, Expr::Wildcard { .. });
    is_wildcard
}

/// The arguments of a call of a function of ours whose arguments are a row.
fn arguments(expression: &Expr) -> Option<&Vec<Expr>> {
    match expression {
        Expr::AggregateFunction(call) if is_of_rows(call.func.name()) => Some(&call.params.args),
        Expr::WindowFunction(call) if is_of_rows(call.fun.name()) => Some(&call.params.args),
        Expr::ScalarFunction(call) if is_of_rows(call.name()) => Some(&call.args),
        _ => None,
    }
}

fn arguments_mut(expression: &mut Expr) -> Option<&mut Vec<Expr>> {
    match expression {
        Expr::AggregateFunction(call) if is_of_rows(call.func.name()) => {
            Some(&mut call.params.args)
        }
        Expr::ScalarFunction(call) if is_of_rows(call.name()) => Some(&mut call.args),
        _ => None,
    }
}

fn is_of_rows(name: &str) -> bool {
    matches!(name, "lthash" | "lthash_state" | "lthash_row")
}
