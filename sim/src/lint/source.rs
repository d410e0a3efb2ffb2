//! What rust-hdl's macro drops without a word, found in the source.
//!
//! `#[hdl_gen]` turns `update()` into a syntax tree and loses some of it: a `..=` loop becomes `..`,
//! the guard of a `match` arm disappears. The elaborator sees only that tree, so these constructs
//! are looked for in the Rust text; `sim/tests/source_lint.rs` does so for every file of `hdl/src`.
use std::fmt;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, RangeLimits};

/// One construct that would mean something else in hardware.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFinding {
    /// Line in the text, from 1.
    pub line: usize,
    /// What is wrong there, and the remedy.
    pub message: String,
}

impl fmt::Display for SourceFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Looks through every `#[hdl_gen]` function of a source file.
///
/// # Errors
/// If the text is not Rust.
pub fn lint_source(text: &str) -> Result<Vec<SourceFinding>, syn::Error> {
    let mut scan = Scan { findings: vec![], inside: false };
    scan.visit_file(&syn::parse_file(text)?);
    Ok(scan.findings)
}

/// The functions whose names rust-hdl takes for casts by their beginnings.
const CASTS: [&str; 6] = ["bit_cast_to", "bit_cast", "bits", "signed_cast", "signed_bit_cast", "unsigned_cast"];

struct Scan {
    findings: Vec<SourceFinding>,
    /// Inside an `#[hdl_gen]` function.
    inside: bool,
}

impl Scan {
    fn report(&mut self, span: Span, message: impl Into<String>) {
        if self.inside {
            self.findings.push(SourceFinding { line: span.start().line, message: message.into() });
        }
    }

    fn forbid_signal(&mut self, expr: &Expr, what: &str) {
        let mut reads = ReadsSignal(false);
        reads.visit_expr(expr);
        if reads.0 {
            self.report(expr.span(), format!("{what} is fixed when the design is built: it cannot depend on a signal"));
        }
    }
}

impl<'ast> Visit<'ast> for Scan {
    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        let outside = self.inside;
        self.inside = function.attrs.iter().any(|a| a.path().segments.last().is_some_and(|s| s.ident == "hdl_gen"));
        visit::visit_impl_item_fn(self, function);
        self.inside = outside;
    }

    fn visit_expr_for_loop(&mut self, unrolled: &'ast syn::ExprForLoop) {
        if let Expr::Range(range) = &*unrolled.expr {
            if let RangeLimits::Closed(_) = range.limits {
                self.report(range.span(), "`..=` would run once less in hardware: write `..` with the next number");
            }
            for bound in range.start.iter().chain(&range.end) {
                self.forbid_signal(bound, "a loop bound");
            }
        }
        visit::visit_expr_for_loop(self, unrolled);
    }

    fn visit_pat_guard(&mut self, guard: &'ast syn::PatGuard) {
        self.report(guard.span(), "the guard would be dropped: put an `if` into the arm");
        visit::visit_pat_guard(self, guard);
    }

    fn visit_pat_or(&mut self, or: &'ast syn::PatOr) {
        self.report(or.span(), "an or-pattern has no hardware: write one arm each");
        visit::visit_pat_or(self, or);
    }

    fn visit_pat_ident(&mut self, binding: &'ast syn::PatIdent) {
        if binding.subpat.is_some() {
            self.report(binding.span(), "the pattern behind `@` would be dropped");
        }
        visit::visit_pat_ident(self, binding);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        use BinOp::*;
        let compares = matches!(binary.op, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_));
        if !compares && (is_index(&binary.left) || is_index(&binary.right)) {
            self.report(binary.span(), "arithmetic on .index() is 64 bits wide here and wraps in hardware: use .val()");
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Expr::Path(path) = &*call.func
            && let Some(first) = path.path.segments.first()
        {
            let name = first.ident.to_string();
            let cast = ["bit_cast", "bits", "Bits", "signed_cast", "unsigned_cast"].iter().any(|c| name.starts_with(c));
            if cast && !CASTS.contains(&name.as_str()) {
                self.report(call.span(), format!("`{name}` would become a plain cast: rust-hdl goes by the name"));
            }
            if cast && let Some(width) = call.args.iter().nth(1) {
                self.forbid_signal(width, "the width of a cast");
            }
            if cast && call.args.first().is_some_and(is_index) {
                self.report(call.span(), "a cast of .index() is refused when it does not fit: cast .val()");
            }
        }
        visit::visit_expr_call(self, call);
    }
}

/// `x.index()`, in parentheses or not.
fn is_index(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(inner) => is_index(&inner.expr),
        Expr::MethodCall(call) => call.method == "index",
        _ => false,
    }
}

struct ReadsSignal(bool);

impl<'ast> Visit<'ast> for ReadsSignal {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.0 |= call.method == "val";
        visit::visit_expr_method_call(self, call);
    }
}
