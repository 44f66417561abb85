//! Places in Python: frames, and operators called there.

use crate::kinds::{self, Operator};
use crate::program::{Shape, Site};
use crate::stacks::Stacks;

pub(crate) const RAY: [&str; 4] = [
    "/workspace/verl/verl/single_controller/ray/base.py(700): func",
    "/usr/lib/python3.11/site-packages/ray/_private/worker.py(951): main_loop",
    "/usr/lib/python3.11/site-packages/ray/_private/workers/default_worker.py(297): <module>",
    "<string>(1): <module>",
];
pub(crate) const THREAD: [&str; 3] = [
    "/usr/lib/python3.11/concurrent/futures/thread.py(58): run",
    "/usr/lib/python3.11/threading.py(982): run",
    "/usr/lib/python3.11/threading.py(1045): _bootstrap_inner",
];
pub(crate) const LINEAR: &str = "/usr/lib/python3.11/site-packages/torch/nn/modules/linear.py(125): forward";
pub(crate) const CALL: &str = "/usr/lib/python3.11/site-packages/torch/nn/modules/module.py(1750): _call_impl";
pub(crate) const RECOMPUTE: [&str; 3] = [
    "/usr/lib/python3.11/site-packages/torch/utils/checkpoint.py(264): recompute",
    "/usr/lib/python3.11/site-packages/torch/utils/checkpoint.py(278): backward",
    "/usr/lib/python3.11/site-packages/torch/autograd/function.py(307): apply",
];

/// Builds sites that share their outer frames.
pub(crate) struct Place<'a> {
    pub(crate) stacks: &'a mut Stacks,
    pub(crate) outer: Vec<&'static str>,
}

impl Place<'_> {
    pub(crate) fn site(
        &mut self,
        operator: &'static Operator,
        bytes: u64,
        saved: bool,
        inner: &[&'static str],
    ) -> Site {
        let frames: Vec<&str> = inner.iter().chain(&self.outer).copied().collect();
        Site {
            operator,
            stack: self.stacks.add(&frames),
            bytes,
            saved,
            parameter: false,
            certain: false,
            module: "",
            function: inner.first().map_or("", |frame| short(frame)),
        }
    }

    pub(crate) fn module(
        &mut self,
        operator: &'static Operator,
        bytes: u64,
        module: &'static str,
        inner: &[&'static str],
    ) -> Site {
        let mut site = self.site(operator, bytes, true, inner);
        site.module = module;
        site.parameter = matches!(module, "Linear" | "Qwen2RMSNorm" | "Embedding");
        site
    }
}

/// A frame the way `python_function` events name it: below the place where packages lie.
fn short(frame: &'static str) -> &'static str {
    for root in ["/site-packages/", "/python3.11/", "/workspace/verl/"] {
        if let Some(at) = frame.find(root) {
            return frame.get(at + root.len()..).unwrap_or(frame);
        }
    }
    frame
}

pub(crate) const MODEL_ATTENTION: &str = "/workspace/models/qwen2/modeling_qwen2.py(164): forward";
pub(crate) const MODEL_DECODER: &str = "/workspace/models/qwen2/modeling_qwen2.py(262): forward";
pub(crate) const MODEL_MLP: &str = "/workspace/models/qwen2/modeling_qwen2.py(49): forward";

/// The calls of one layer of the model.
pub(crate) fn layer(place: &mut Place<'_>, shape: Shape) -> Vec<Site> {
    let act = shape.tokens * shape.hidden * 2;
    let wide = shape.tokens * shape.wide * 2;
    let p = place;
    vec![
        p.module(
            &kinds::RMS_NORM,
            act,
            "Qwen2RMSNorm",
            &["/workspace/models/qwen2/modeling_qwen2.py(255): forward", CALL],
        ),
        p.module(
            &kinds::LINEAR_BIAS,
            act,
            "Linear",
            &[LINEAR, CALL, "/workspace/models/qwen2/modeling_qwen2.py(143): forward", CALL, MODEL_DECODER],
        ),
        p.module(
            &kinds::LINEAR_BIAS,
            act / 4,
            "Linear",
            &[LINEAR, CALL, "/workspace/models/qwen2/modeling_qwen2.py(144): forward", CALL, MODEL_DECODER],
        ),
        p.module(
            &kinds::LINEAR_BIAS,
            act / 4,
            "Linear",
            &[LINEAR, CALL, "/workspace/models/qwen2/modeling_qwen2.py(145): forward", CALL, MODEL_DECODER],
        ),
        p.site(
            &kinds::ROTARY,
            act,
            true,
            &[
                "/workspace/models/qwen2/modeling_qwen2.py(91): apply_rotary_pos_emb",
                "/workspace/models/qwen2/modeling_qwen2.py(149): forward",
                CALL,
                MODEL_DECODER,
            ],
        ),
        p.site(
            &kinds::ROTARY,
            act / 4,
            true,
            &[
                "/workspace/models/qwen2/modeling_qwen2.py(92): apply_rotary_pos_emb",
                "/workspace/models/qwen2/modeling_qwen2.py(149): forward",
                CALL,
                MODEL_DECODER,
            ],
        ),
        p.site(
            &kinds::ATTENTION,
            act,
            true,
            &["/home/王芳/强化学习/注意力.py(58): 融合注意力", MODEL_ATTENTION, CALL, MODEL_DECODER],
        ),
        p.module(
            &kinds::LINEAR,
            act,
            "Linear",
            &[LINEAR, CALL, "/workspace/models/qwen2/modeling_qwen2.py(176): forward", CALL, MODEL_DECODER],
        ),
        p.module(
            &kinds::DROPOUT,
            act,
            "Dropout",
            &["/usr/lib/python3.11/site-packages/torch/nn/modules/dropout.py(70): forward", CALL, MODEL_DECODER],
        ),
        p.site(&kinds::ADDITION, act, true, &["/workspace/models/qwen2/modeling_qwen2.py(271): forward"]),
        p.module(
            &kinds::RMS_NORM,
            act,
            "Qwen2RMSNorm",
            &["/workspace/models/qwen2/modeling_qwen2.py(275): forward", CALL],
        ),
        p.module(
            &kinds::LINEAR,
            wide,
            "Linear",
            &[LINEAR, CALL, "/workspace/models/qwen2/modeling_qwen2.py(46): forward", CALL, MODEL_MLP],
        ),
        p.site(
            &kinds::SILU,
            wide,
            true,
            &["/usr/lib/python3.11/site-packages/torch/nn/functional.py(2380): silu", MODEL_MLP, CALL],
        ),
        p.module(
            &kinds::LINEAR,
            wide,
            "Linear",
            &[LINEAR, CALL, "/workspace/models/qwen2/modeling_qwen2.py(47): forward", CALL, MODEL_MLP],
        ),
        p.site(&kinds::MULTIPLY, wide, true, &["/workspace/models/qwen2/modeling_qwen2.py(48): forward", CALL]),
        p.module(&kinds::LINEAR, act, "Linear", &[LINEAR, CALL, MODEL_MLP]),
        p.site(&kinds::ADDITION, act, true, &["/workspace/models/qwen2/modeling_qwen2.py(277): forward"]),
    ]
}
