//! What one rank runs: the places in Python where operators are called, with the bytes each of them needs.

use crate::event::Dims;
use crate::kinds::{self, Operator};
use crate::places::{CALL, LINEAR, Place, RAY, RECOMPUTE, THREAD, layer};
use crate::plant::Plant;
use crate::stacks::{StackId, Stacks};

/// One call of an operator at a line of somebody's code.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) operator: &'static Operator,
    pub(crate) stack: StackId,
    /// Bytes of the result.
    pub(crate) bytes: u64,
    /// The result lives until its backward node has run; else until the next operators have read it.
    pub(crate) saved: bool,
    /// A parameter takes part: its gradient is accumulated.
    pub(crate) parameter: bool,
    /// Planted, or a result that is looked for: never missing in the trace.
    pub(crate) certain: bool,
    /// As `nn.Module: X` shows it; empty where no module is called.
    pub(crate) module: &'static str,
    /// The Python function around the call.
    pub(crate) function: &'static str,
}

/// All sites of a rank.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) trains: bool,
    pub(crate) batch: Vec<Site>,
    pub(crate) before: Vec<Site>,
    pub(crate) layer: Vec<Site>,
    /// The layer again, called from the checkpoint's backward.
    pub(crate) again: Vec<Site>,
    pub(crate) after: Vec<Site>,
    pub(crate) second: Vec<Site>,
    pub(crate) penalty: Vec<Site>,
    pub(crate) optimizer: Vec<Site>,
    /// Where the optimizer's own spans begin.
    pub(crate) optimizer_span: StackId,
    pub(crate) leak: Site,
    pub(crate) churn: Site,
    pub(crate) buffer: Site,
    /// Kept from one step to the next.
    pub(crate) result: Site,
    /// Sites without a stack of their own, for the loader.
    pub(crate) loader: Vec<Site>,
    /// Bytes of the weights, in the pieces they were allocated in before the window.
    pub(crate) weights: Vec<u64>,
    pub(crate) shape: Shape,
}

/// Sizes of the model and its batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) tokens: u64,
    pub(crate) hidden: u64,
    pub(crate) wide: u64,
    pub(crate) vocabulary: u64,
}

impl Shape {
    /// The texts of `Input Dims` and `Input type`, ready for JSON.
    pub(crate) fn dims(self, dims: Dims) -> (String, &'static str) {
        let Self { tokens, hidden, wide, vocabulary } = self;
        match dims {
            Dims::Tokens => (format!("{tokens};\\r\\n{tokens}"), "float;\\r\\nfloat"),
            Dims::Hidden => (format!("1,{tokens},{hidden};\\r\\n;\\r\\n"), "c10::BFloat16;\\r\\nScalar;\\r\\nScalar"),
            Dims::Pair => (
                format!("1,{tokens},{hidden};\\r\\n1,{tokens},{hidden};\\r\\n"),
                "c10::BFloat16;\\r\\nc10::BFloat16;\\r\\nScalar",
            ),
            Dims::Weight => (format!("{tokens},{hidden};\\r\\n{hidden},{hidden}"), "c10::BFloat16;\\r\\nc10::BFloat16"),
            Dims::Wide => (format!("1,{tokens},{wide};\\r\\n1,{tokens},{wide}"), "c10::BFloat16;\\r\\nc10::BFloat16"),
            Dims::Logits => (format!("{tokens},{vocabulary};\\r\\n;\\r\\n"), "float;\\r\\nScalar;\\r\\nScalar"),
            Dims::Scalar => (";\\r\\n;\\r\\n".to_owned(), "Scalar;\\r\\nScalar;\\r\\nNone"),
            Dims::Empty => (";\\r\\n;\\r\\n;\\r\\n".to_owned(), "ScalarList;\\r\\nScalarList;\\r\\nScalar;\\r\\nNone"),
        }
    }
}

/// The program of a role: `trains` or not, with the activations scaled by `factor`.
pub(crate) fn program(trains: bool, factor: f64, plant: &[Plant], stacks: &mut Stacks) -> Program {
    let (tokens, hidden, wide, vocabulary) =
        if trains { (1536, 1536, 4224, 50_304) } else { (4096, 2048, 5632, 32_000) };
    // Whole tiles of 128 tokens, so that a scaled rank still has round shapes.
    let tokens = (((tokens as f64 * factor) / 128.0).round() as u64 * 128).max(128);
    let shape = Shape { tokens, hidden, wide, vocabulary };
    let act = tokens * hidden * 2;
    let logits = tokens * vocabulary * 2;
    let row = tokens * 4;
    let (work, run) = if trains {
        (
            vec![
                "/workspace/verl/verl/workers/actor/dp_actor.py(429): update_policy",
                "/workspace/verl/verl/workers/fsdp_workers.py(689): update_actor",
            ],
            "/workspace/verl/verl/workers/actor/dp_actor.py(228): _forward_micro_batch",
        )
    } else {
        (
            vec![
                "/workspace/verl/verl/workers/rollout/npu_rollout.py(318): generate_sequences",
                "/workspace/verl/verl/workers/fsdp_workers.py(838): generate_sequences",
            ],
            "/workspace/verl/verl/workers/rollout/npu_rollout.py(201): _decode_step",
        )
    };
    let outer: Vec<&'static str> = work.iter().chain(&RAY).copied().collect();
    let mut top = Place { stacks, outer: outer.clone() };
    let batch = vec![
        top.site(
            &kinds::UPLOAD_BATCH,
            tokens * 8,
            false,
            &["/workspace/verl/verl/utils/device_batch.py(27): to_device"],
        ),
        top.site(
            &kinds::UPLOAD_BATCH,
            tokens * 8 + 1,
            false,
            &["/workspace/verl/verl/utils/device_batch.py(28): to_device"],
        ),
        top.site(
            &kinds::UPLOAD_BATCH,
            tokens * 2,
            false,
            &["/workspace/verl/verl/utils/device_batch.py(31): to_device"],
        ),
        top.site(&kinds::ARANGE, tokens * 8, false, &["/home/王芳/强化学习/位置编码.py(19): 构建位置编码"]),
        top.site(&kinds::COSINE, tokens * 128 * 4, false, &["/home/王芳/强化学习/位置编码.py(21): 构建位置编码"]),
    ];
    let optimizer = [(&kinds::FOREACH_SQRT, 3), (&kinds::FOREACH_DIV, 2), (&kinds::FOREACH_DIV, 1)]
        .iter()
        .map(|&(operator, part)| {
            let frame = match part {
                3 => "/usr/lib/python3.11/site-packages/torch/optim/adamw.py(645): _multi_tensor_adamw",
                2 => "/usr/lib/python3.11/site-packages/torch/optim/adamw.py(654): _multi_tensor_adamw",
                _ => "/usr/lib/python3.11/site-packages/torch/optim/adamw.py(661): _multi_tensor_adamw",
            };
            top.site(
                operator,
                hidden * wide * part,
                false,
                &[
                    frame,
                    "/usr/lib/python3.11/site-packages/torch/optim/adamw.py(243): step",
                    "/workspace/verl/verl/workers/actor/dp_actor.py(302): _optimizer_step",
                ],
            )
        })
        .collect();
    let mut span = vec![
        "/usr/lib/python3.11/site-packages/torch/autograd/profiler.py(705): __enter__",
        "/usr/lib/python3.11/site-packages/torch/optim/optimizer.py(476): wrapper",
        "/workspace/verl/verl/workers/actor/dp_actor.py(302): _optimizer_step",
    ];
    span.extend(&outer);
    let optimizer_span = top.stacks.add(&span);
    let loss = "/workspace/verl/verl/workers/actor/dp_actor.py(431): update_policy";
    let penalty = vec![
        top.site(&kinds::MULTIPLY, row, true, &["/home/王芳/强化学习/损失函数.py(131): 梯度惩罚", loss]),
        top.site(&kinds::POWER, row, true, &["/home/王芳/强化学习/损失函数.py(134): 梯度惩罚", loss]),
        top.site(&kinds::MEAN, 4, true, &["/home/王芳/强化学习/损失函数.py(135): 梯度惩罚", loss]),
    ];
    let leak_bytes = plant.iter().find_map(|p| if let Plant::Leak { bytes } = p { Some(*bytes) } else { None });
    let buffer_bytes =
        plant.iter().find_map(|p| if let Plant::Fragmentation { bytes } = p { Some(*bytes) } else { None });
    let (leak_frame, buffer_frame, churn_frame) = if trains {
        (
            "/workspace/verl/verl/workers/actor/dp_actor.py(412): keep_logits",
            "/workspace/verl/verl/workers/actor/dp_actor.py(365): resize_buffer",
            "/workspace/verl/verl/workers/actor/dp_actor.py(388): split_masks",
        )
    } else {
        (
            "/workspace/verl/verl/workers/rollout/npu_rollout.py(412): keep_logits",
            "/workspace/verl/verl/workers/rollout/npu_rollout.py(365): resize_buffer",
            "/workspace/verl/verl/workers/rollout/npu_rollout.py(388): split_masks",
        )
    };
    let leak = top.site(&kinds::KEEP, leak_bytes.unwrap_or(0), false, &[leak_frame]);
    let buffer = top.site(&kinds::EMPTY, buffer_bytes.unwrap_or(0), false, &[buffer_frame]);
    let churn = top.site(&kinds::EMPTY, row, false, &[churn_frame]);
    let result_frame = if trains {
        "/workspace/verl/verl/workers/actor/dp_actor.py(436): update_policy"
    } else {
        "/home/王芳/强化学习/采样.py(73): 保存结果"
    };
    let [mut leak, mut buffer, mut churn] = [leak, buffer, churn];
    for site in [&mut leak, &mut buffer, &mut churn] {
        site.certain = true;
    }
    let result = top.site(&kinds::CLONE, act / 2, false, &[result_frame]);

    let mut model = Place { stacks, outer: std::iter::once(run).chain(outer.iter().copied()).collect() };
    let before = vec![model.module(
        &kinds::EMBEDDING,
        act,
        "Embedding",
        &[
            "/usr/lib/python3.11/site-packages/torch/nn/modules/sparse.py(190): forward",
            CALL,
            "/workspace/models/qwen2/modeling_qwen2.py(512): forward",
        ],
    )];
    let layer_sites = layer(&mut model, shape);
    let mut after = vec![
        model.module(
            &kinds::RMS_NORM,
            act,
            "Qwen2RMSNorm",
            &["/workspace/models/qwen2/modeling_qwen2.py(558): forward", CALL],
        ),
        model.module(
            &kinds::LINEAR,
            logits,
            "Linear",
            &[LINEAR, CALL, "/workspace/models/qwen2/modeling_qwen2.py(703): forward", CALL],
        ),
    ];
    if trains {
        after.push(model.site(
            &kinds::TO_FLOAT,
            logits * 2,
            true,
            &["/workspace/verl/verl/utils/torch_functional.py(66): logprobs_from_logits"],
        ));
        after.push(model.site(
            &kinds::LOG_SOFTMAX,
            logits * 2,
            true,
            &[
                "/usr/lib/python3.11/site-packages/torch/nn/functional.py(2248): log_softmax",
                "/workspace/verl/verl/utils/torch_functional.py(68): logprobs_from_logits",
            ],
        ));
        after.push(model.site(
            &kinds::GATHER,
            row,
            true,
            &["/workspace/verl/verl/utils/torch_functional.py(69): logprobs_from_logits"],
        ));
        model.outer = std::iter::once(loss).chain(outer.iter().copied()).collect();
        for (operator, frame) in [
            (&kinds::SUBTRACT, "/home/王芳/强化学习/损失函数.py(91): 计算策略损失"),
            (&kinds::EXP, "/home/王芳/强化学习/损失函数.py(92): 计算策略损失"),
            (&kinds::MULTIPLY, "/home/王芳/强化学习/损失函数.py(94): 计算策略损失"),
            (&kinds::CLAMP, "/home/王芳/强化学习/损失函数.py(95): 计算策略损失"),
            (&kinds::MULTIPLY, "/home/王芳/强化学习/损失函数.py(97): 计算策略损失"),
            (&kinds::MEAN, "/workspace/verl/verl/trainer/ppo/core_algos.py(612): agg_loss"),
        ] {
            after.push(model.site(operator, row, true, &[frame]));
        }
    } else {
        after.push(model.site(
            &kinds::SOFTMAX,
            logits,
            false,
            &["/workspace/verl/verl/workers/rollout/sampler.py(77): sample"],
        ));
        after.push(model.site(
            &kinds::MULTINOMIAL,
            tokens * 8,
            false,
            &["/workspace/verl/verl/workers/rollout/sampler.py(81): sample"],
        ));
        after.push(model.site(&kinds::CACHE_WRITE, act / 8, false, &["/home/王芳/强化学习/缓存.py(44): 写入键值"]));
        after.push(model.site(&kinds::CLONE, act / 16, false, &["/home/王芳/强化学习/缓存.py(52): 复制块表"]));
    }
    model.outer = std::iter::once("/workspace/models/qwen2/modeling_qwen2.py(530): forward").chain(RECOMPUTE).collect();
    let again = layer(&mut model, shape);
    model.outer =
        std::iter::once("/workspace/verl/verl/workers/reward/overlap.py(73): score_async").chain(THREAD).collect();
    let small = Shape { tokens: tokens / 2, hidden: hidden / 2, ..shape };
    let second = [
        (&kinds::LINEAR, small.tokens * small.hidden * 2, "/workspace/verl/verl/workers/reward/model.py(31): forward"),
        (
            &kinds::ADDITION,
            small.tokens * small.hidden * 2,
            "/workspace/verl/verl/workers/reward/model.py(33): forward",
        ),
        (&kinds::SILU, small.tokens * small.hidden * 2, "/workspace/verl/verl/workers/reward/model.py(34): forward"),
        (&kinds::LINEAR_BIAS, small.tokens * 256, "/workspace/verl/verl/workers/reward/model.py(36): forward"),
        (&kinds::MULTIPLY, small.tokens * 256, "/workspace/verl/verl/workers/reward/model.py(38): forward"),
        (&kinds::MEAN, 4, "/workspace/verl/verl/workers/reward/model.py(40): forward"),
    ]
    .iter()
    .map(|&(operator, bytes, frame)| model.site(operator, bytes, true, &[frame]))
    .collect();
    let nowhere = |operator: &'static Operator, bytes: u64| Site {
        operator,
        stack: StackId(u32::MAX),
        bytes,
        saved: false,
        parameter: false,
        certain: false,
        module: "",
        function: "",
    };
    let loader = vec![
        nowhere(&kinds::UPLOAD_BATCH, tokens * 8),
        nowhere(&kinds::EMPTY, tokens * 64),
        nowhere(&kinds::ADDITION, tokens * 128),
        nowhere(&kinds::MULTIPLY, tokens * 96),
    ];
    Program {
        trains,
        batch,
        before,
        layer: layer_sites,
        again,
        after,
        second,
        penalty,
        optimizer,
        optimizer_span,
        leak,
        churn,
        buffer,
        result,
        loader,
        weights: weights(trains, shape),
        shape,
    }
}

fn weights(trains: bool, shape: Shape) -> Vec<u64> {
    let Shape { hidden, wide, vocabulary, .. } = shape;
    let mut sizes = vec![vocabulary * hidden * 2, vocabulary * hidden * 2];
    for _ in 0..8 {
        sizes.extend([hidden * hidden * 2, hidden * hidden / 2, hidden * hidden / 2, hidden * hidden * 2]);
        sizes.extend([hidden * wide * 2, hidden * wide * 2, hidden * wide * 2, hidden * 2]);
    }
    if trains {
        // The optimizer's two moments, in float.
        let moments: Vec<u64> = sizes.iter().flat_map(|&bytes| [bytes * 2, bytes * 2]).collect();
        sizes.extend(moments);
    } else {
        // The cache of keys and values.
        sizes.extend([512 << 20; 4]);
    }
    sizes
}
