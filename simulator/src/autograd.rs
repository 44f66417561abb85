//! Backward: nodes in reverse order on the engine's thread, with all that makes it hard to tell where memory came from.

use crate::event::{Dims, Label, Op, Thread};
use crate::kinds::{self, Grad};
use crate::machine::{Machine, Node, Run};
use crate::memory::BlockId;
use crate::program::Program;
use crate::truth::Kind;

/// Bytes of the gradient of a parameter whose operator made this many.
pub(crate) fn gradient_bytes(bytes: u64) -> u64 {
    bytes / 2 + 4096
}

const B: Thread = Thread::Backward;

impl Machine<'_> {
    /// Runs the nodes, last first. Gradients of parameters are put into `gradients`, to be freed
    /// by `zero_grad`; without it they are added to those that are there.
    pub(crate) fn backward(&mut self, nodes: Vec<Node>, program: &Program, gradients: &mut Option<&mut Vec<BlockId>>) {
        let mut passed: Vec<BlockId> = Vec::new();
        for node in nodes.into_iter().rev() {
            let made = self.evaluate(&node, program, gradients);
            // The gradient that came in is not needed any more.
            let now = self.clock(B);
            for (at, id) in passed.drain(..).chain(node.saved).enumerate() {
                self.pools.release(id, now + 1200 * (at as i64 + 1), 0);
            }
            self.pass(B, 2500, 7000);
            passed = made;
            if node.parameter {
                let made = self.accumulate(node.bytes, gradients.is_some());
                if let Some(all) = gradients {
                    all.extend(made);
                }
            }
        }
        let now = self.clock(B);
        for (at, id) in passed.into_iter().enumerate() {
            self.pools.release(id, now + 1500 * (at as i64 + 1), 0);
        }
        self.pass(B, 4000, 9000);
    }

    /// One node inside its `evaluate_function` span; the gradients it made.
    fn evaluate(&mut self, node: &Node, program: &Program, gradients: &mut Option<&mut Vec<BlockId>>) -> Vec<BlockId> {
        let outer = self.pass(B, 500, 2500);
        let start = self.pass(B, 900, 4000);
        self.flow(node, start);
        if node.checkpoint {
            self.recompute(program, gradients);
        }
        let mut made = Vec::new();
        for grad in node.grads {
            made.push(self.gradient(node, grad, -1));
        }
        let end = self.pass(B, 600, 2500);
        self.op(Op {
            label: Label::Plain(node.name),
            thread: B,
            start,
            end,
            sequence: node.sequence,
            forward_thread: node.forward.0.logical(),
            dims: None,
            stack: None,
        });
        if node.sums {
            // Beside the node, not inside it: only the evaluation around both tells where it belongs.
            made.push(self.small_gradient(node, node.bytes / 512 + 64));
        }
        self.span(Label::Evaluate(node.name), B, outer, None);
        made
    }

    fn gradient(&mut self, node: &Node, grad: &'static Grad, sequence: i64) -> BlockId {
        self.pass(B, 300, 1500);
        let run = self.backward_run(node, std::slice::from_ref(&grad.name), &grad.kernel, node.bytes);
        self.run(&Run { sequence: (sequence, sequence), ..run }).block
    }

    fn small_gradient(&mut self, node: &Node, bytes: u64) -> BlockId {
        let run = self.backward_run(node, &["aten::sum"], &kinds::SUM, bytes);
        self.run(&run).block
    }

    fn backward_run(
        &self,
        node: &Node,
        chain: &'static [&'static str],
        kernel: &'static crate::event::Kernel,
        bytes: u64,
    ) -> Run {
        Run {
            thread: B,
            chain,
            kernel,
            view: false,
            dims: Dims::Pair,
            bytes,
            sequence: (-1, -1),
            stack: None,
            origin: if node.stack.is_some() { (Kind::Forward, node.stack) } else { (Kind::None, None) },
            loseable: false,
            stream: 0,
        }
    }

    /// The gradient of a parameter: nothing in the trace tells which one.
    fn accumulate(&mut self, bytes: u64, allocates: bool) -> Option<BlockId> {
        let outer = self.pass(B, 500, 1500);
        let start = self.pass(B, 500, 1500);
        let block = if allocates {
            Some(
                self.run(&Run {
                    thread: B,
                    chain: &["aten::new_empty_strided", "aten::empty_strided"],
                    kernel: &kinds::COPY,
                    view: false,
                    dims: Dims::Empty,
                    bytes: gradient_bytes(bytes),
                    sequence: (-1, -1),
                    stack: None,
                    origin: (Kind::None, None),
                    loseable: false,
                    stream: 0,
                })
                .block,
            )
        } else {
            let inner = self.pass(B, 500, 1500);
            self.span(Label::Plain("aten::detach"), B, inner, None);
            None
        };
        let end = self.pass(B, 400, 1500);
        self.op(Op {
            label: Label::Plain("torch::autograd::AccumulateGrad"),
            thread: B,
            start,
            end,
            sequence: -1,
            forward_thread: Thread::Main.logical(),
            dims: None,
            stack: None,
        });
        self.span(Label::Evaluate("torch::autograd::AccumulateGrad"), B, outer, None);
        block
    }

    /// A checkpointed layer runs again on the engine's thread, with Python frames, and its nodes run inside the node.
    fn recompute(&mut self, program: &Program, gradients: &mut Option<&mut Vec<BlockId>>) {
        let mut nodes = Vec::new();
        let started = self.clock(B);
        let id = self.python_id();
        for site in &program.again {
            let block = self.forward(B, site, true, id, &mut nodes);
            if !site.saved {
                let now = self.clock(B);
                self.pools.release(block, now + 2000, 0);
            }
        }
        self.returned("torch/utils/checkpoint.py(255): backward", B, started, id, 0);
        self.backward(nodes, program, gradients);
    }

    /// `create_graph`: the node's gradient is itself an operator with a node, on the engine's thread.
    pub(crate) fn evaluate_with_graph(&mut self, node: &Node, nodes: &mut Vec<Node>) {
        let outer = self.pass(B, 500, 2500);
        let start = self.pass(B, 900, 4000);
        self.flow(node, start);
        for grad in node.grads {
            self.pass(B, 300, 1500);
            let sequence = self.lane(B).sequence;
            let run = self.backward_run(node, std::slice::from_ref(&grad.name), &grad.kernel, node.bytes);
            let ran = self.run(&Run { sequence: (sequence, sequence), ..run });
            self.lane(B).sequence = sequence + 1;
            nodes.push(Node {
                name: "MulBackward0",
                grads: kinds::MULTIPLY.grads,
                sums: false,
                parameter: false,
                sequence,
                forward: (B, ran.core),
                stack: node.stack,
                bytes: node.bytes,
                saved: Some(ran.block),
                checkpoint: false,
            });
        }
        let end = self.pass(B, 600, 2500);
        self.op(Op {
            label: Label::Plain(node.name),
            thread: B,
            start,
            end,
            sequence: node.sequence,
            forward_thread: node.forward.0.logical(),
            dims: None,
            stack: None,
        });
        self.span(Label::Evaluate(node.name), B, outer, None);
    }
}
