//! The operators a simulated model is made of.

use crate::event::{Dims, Kernel};

/// A forward operator as Python calls it.
#[derive(Debug)]
pub(crate) struct Operator {
    /// Operators around each other, outermost first; the last one allocates.
    pub(crate) chain: &'static [&'static str],
    /// A transposed weight is made first, inside the outermost operator: a node of its own.
    pub(crate) view: bool,
    pub(crate) kernel: Kernel,
    pub(crate) dims: Dims,
    /// The backward node, empty where there is none.
    pub(crate) node: &'static str,
    /// What the node runs; each allocates.
    pub(crate) grads: &'static [Grad],
    /// A sum for a broadcast operand runs below the node's evaluation, beside the node.
    pub(crate) sums: bool,
}

/// An operator inside a backward node.
#[derive(Debug)]
pub(crate) struct Grad {
    pub(crate) name: &'static str,
    pub(crate) kernel: Kernel,
}

const fn kernel(name: &'static str, device: &'static str, task_type: &'static str) -> Kernel {
    Kernel { name, device, task_type }
}

const CORE: &str = "AI_CORE";
const VECTOR: &str = "AI_VECTOR_CORE";
const MIX: &str = "MIX_AIC";

pub(crate) const MM: Kernel = kernel("aclnnMm", "aclnnMm_MatMulCommon_MatMulV2", CORE);
pub(crate) const ADD: Kernel = kernel("aclnnAdd", "aclnnAdd_AddAiCore_Add", VECTOR);
pub(crate) const MUL: Kernel = kernel("aclnnMul", "aclnnMul_MulAiCore_Mul", VECTOR);
pub(crate) const SUM: Kernel = kernel("aclnnReduceSum", "aclnnReduceSum_ReduceSumOpAiCore_ReduceSum", VECTOR);
pub(crate) const COPY: Kernel = kernel("aclnnInplaceCopy", "aclnnInplaceCopy_TensorMoveAiCore_TensorMove", VECTOR);
pub(crate) const CAST: Kernel = kernel("aclnnCast", "aclnnCast_CastAiCore_Cast", VECTOR);
pub(crate) const UPLOAD: Kernel = kernel("acl_memcpy_host_to_device", "MEMCPY_ASYNC", "PCIE_DMA_SQE");
pub(crate) const REDUCE: Kernel = kernel("HcclAllreduce", "hcom_allReduce_", "COMMUNICATION");

const fn plain(
    chain: &'static [&'static str],
    kernel: Kernel,
    dims: Dims,
    node: &'static str,
    grads: &'static [Grad],
) -> Operator {
    Operator { chain, view: false, kernel, dims, node, grads, sums: false }
}

const MM_GRADS: &[Grad] = &[Grad { name: "aten::mm", kernel: MM }, Grad { name: "aten::mm", kernel: MM }];

pub(crate) static LINEAR: Operator = Operator {
    view: true,
    ..plain(&["aten::linear", "aten::matmul", "aten::mm"], MM, Dims::Weight, "MmBackward0", MM_GRADS)
};
pub(crate) static LINEAR_BIAS: Operator = Operator {
    view: true,
    sums: true,
    ..plain(
        &["aten::linear", "aten::addmm"],
        kernel("aclnnAddmm", "aclnnAddmm_MatMulCommon_MatMulV2", CORE),
        Dims::Weight,
        "AddmmBackward0",
        MM_GRADS,
    )
};
pub(crate) static EMBEDDING: Operator = plain(
    &["aten::embedding"],
    kernel("aclnnEmbedding", "aclnnEmbedding_GatherV2AiCore_GatherV2", VECTOR),
    Dims::Tokens,
    "EmbeddingBackward0",
    &[Grad {
        name: "aten::embedding_dense_backward",
        kernel: kernel("aclnnEmbeddingDenseBackward", "aclnnEmbeddingDenseBackward_EmbeddingDenseGradV2", VECTOR),
    }],
);
pub(crate) static RMS_NORM: Operator = plain(
    &["npu::npu_rms_norm"],
    kernel("aclnnRmsNorm", "aclnnRmsNorm_RmsNormAiCore_RmsNorm", VECTOR),
    Dims::Pair,
    "NpuRmsNormBackward0",
    &[Grad {
        name: "npu::npu_rms_norm_backward",
        kernel: kernel("aclnnRmsNormGrad", "aclnnRmsNormGrad_RmsNormGradAiCore_RmsNormGrad", VECTOR),
    }],
);
pub(crate) static ROTARY: Operator = plain(
    &["npu::npu_rotary_mul"],
    kernel("aclnnRotaryPositionEmbedding", "aclnnRotaryPositionEmbedding_RotaryPositionEmbedding", VECTOR),
    Dims::Pair,
    "NpuRotaryMulBackward0",
    &[Grad {
        name: "npu::npu_rotary_mul_backward",
        kernel: kernel("aclnnRotaryPositionEmbeddingGrad", "aclnnRotaryPositionEmbeddingGrad_RotaryGrad", VECTOR),
    }],
);
pub(crate) static ATTENTION: Operator = plain(
    &["npu::npu_fusion_attention"],
    kernel("aclnnFlashAttentionScore", "aclnnFlashAttentionScore_FlashAttentionScore_FlashAttentionScore", MIX),
    Dims::Hidden,
    "NpuFusionAttentionBackward0",
    &[Grad {
        name: "npu::npu_fusion_attention_grad",
        kernel: kernel("aclnnFlashAttentionScoreGrad", "aclnnFlashAttentionScoreGrad_FlashAttentionScoreGrad", MIX),
    }],
);
pub(crate) static DROPOUT: Operator = plain(
    &["aten::dropout", "npu::_npu_dropout"],
    kernel("aclnnDropoutDoMask", "aclnnDropoutDoMask_DropOutDoMaskAiCore_DropOutDoMask", VECTOR),
    Dims::Hidden,
    "NpuDropoutBackward0",
    &[Grad {
        name: "npu::npu_dropout_backward",
        kernel: kernel("aclnnDropoutDoMask", "aclnnDropoutDoMask_DropOutDoMaskAiCore_DropOutDoMask", VECTOR),
    }],
);
pub(crate) static ADDITION: Operator =
    Operator { sums: true, ..plain(&["aten::add"], ADD, Dims::Pair, "AddBackward0", &[]) };
pub(crate) static SILU: Operator = plain(
    &["aten::silu"],
    kernel("aclnnSilu", "aclnnSilu_SwishAiCore_Swish", VECTOR),
    Dims::Wide,
    "SiluBackward0",
    &[Grad {
        name: "aten::silu_backward",
        kernel: kernel("aclnnSiluBackward", "aclnnSiluBackward_SiluGradAiCore_SiluGrad", VECTOR),
    }],
);
const MUL_GRADS: &[Grad] = &[Grad { name: "aten::mul", kernel: MUL }, Grad { name: "aten::mul", kernel: MUL }];
pub(crate) static MULTIPLY: Operator = plain(&["aten::mul"], MUL, Dims::Wide, "MulBackward0", MUL_GRADS);
pub(crate) static TO_FLOAT: Operator = plain(
    &["aten::to", "aten::_to_copy", "npu::npu_dtype_cast"],
    CAST,
    Dims::Logits,
    "NpuDtypeCastBackward0",
    &[Grad { name: "npu::npu_dtype_cast", kernel: CAST }],
);
pub(crate) static LOG_SOFTMAX: Operator = plain(
    &["aten::log_softmax", "aten::_log_softmax"],
    kernel("aclnnLogSoftmax", "aclnnLogSoftmax_LogSoftmaxV2AiCore_LogSoftmaxV2", VECTOR),
    Dims::Logits,
    "LogSoftmaxBackward0",
    &[Grad {
        name: "aten::_log_softmax_backward_data",
        kernel: kernel("aclnnLogSoftmaxBackward", "aclnnLogSoftmaxBackward_LogSoftmaxGrad_LogSoftmaxGrad", VECTOR),
    }],
);
pub(crate) static GATHER: Operator = plain(
    &["aten::gather"],
    kernel("aclnnGather", "aclnnGather_GatherElementsAiCore_GatherElements", VECTOR),
    Dims::Logits,
    "GatherBackward0",
    &[Grad {
        name: "aten::new_zeros",
        kernel: kernel("aclnnInplaceZero", "aclnnInplaceZero_ZerosLikeAiCore_ZerosLike", VECTOR),
    }],
);
pub(crate) static SUBTRACT: Operator = plain(
    &["aten::sub"],
    kernel("aclnnSub", "aclnnSub_SubAiCore_Sub", VECTOR),
    Dims::Tokens,
    "SubBackward0",
    &[Grad { name: "aten::neg", kernel: kernel("aclnnNeg", "aclnnNeg_NegAiCore_Neg", VECTOR) }],
);
pub(crate) static EXP: Operator = plain(
    &["aten::exp"],
    kernel("aclnnExp", "aclnnExp_ExpAiCore_Exp", VECTOR),
    Dims::Tokens,
    "ExpBackward0",
    &[Grad { name: "aten::mul", kernel: MUL }],
);
pub(crate) static CLAMP: Operator = plain(
    &["aten::clamp"],
    kernel("aclnnClamp", "aclnnClamp_ClipByValueV2AiCore_ClipByValueV2", VECTOR),
    Dims::Tokens,
    "ClampBackward1",
    &[Grad { name: "aten::where", kernel: kernel("aclnnSWhere", "aclnnSWhere_SelectV2AiCore_SelectV2", VECTOR) }],
);
pub(crate) static MEAN: Operator = plain(
    &["aten::mean"],
    kernel("aclnnMean", "aclnnMean_ReduceMeanAiCore_ReduceMean", VECTOR),
    Dims::Tokens,
    "MeanBackward0",
    &[Grad { name: "aten::div", kernel: kernel("aclnnDivs", "aclnnDivs_RealDivAiCore_RealDiv", VECTOR) }],
);
pub(crate) static POWER: Operator = plain(
    &["aten::pow"],
    kernel("aclnnPowTensorScalar", "aclnnPowTensorScalar_SquareAiCore_Square", VECTOR),
    Dims::Tokens,
    "PowBackward0",
    MUL_GRADS,
);

// Operators without a backward node.
pub(crate) static UPLOAD_BATCH: Operator =
    plain(&["aten::to", "aten::_to_copy", "aten::empty_strided"], UPLOAD, Dims::Empty, "", &[]);
pub(crate) static EMPTY: Operator = plain(&["aten::empty"], COPY, Dims::Empty, "", &[]);
pub(crate) static CLONE: Operator = plain(&["aten::clone", "aten::empty_like"], COPY, Dims::Hidden, "", &[]);
pub(crate) static KEEP: Operator = plain(&["aten::clone"], COPY, Dims::Hidden, "", &[]);
pub(crate) static ARANGE: Operator =
    plain(&["aten::arange"], kernel("aclnnArange", "aclnnArange_RangeAiCore_Range", VECTOR), Dims::Scalar, "", &[]);
pub(crate) static COSINE: Operator =
    plain(&["aten::cos"], kernel("aclnnCos", "aclnnCos_CosAiCore_Cos", VECTOR), Dims::Tokens, "", &[]);
pub(crate) static FOREACH_SQRT: Operator = plain(
    &["aten::_foreach_sqrt"],
    kernel("aclnnForeachSqrt", "aclnnForeachSqrt_ForeachSqrt", VECTOR),
    Dims::Weight,
    "",
    &[],
);
pub(crate) static FOREACH_DIV: Operator = plain(
    &["aten::_foreach_div"],
    kernel("aclnnForeachDivList", "aclnnForeachDivList_ForeachDivList", VECTOR),
    Dims::Weight,
    "",
    &[],
);
pub(crate) static SOFTMAX: Operator = plain(
    &["aten::softmax", "aten::_softmax"],
    kernel("aclnnSoftmax", "aclnnSoftmax_SoftmaxV2AiCore_SoftmaxV2", VECTOR),
    Dims::Logits,
    "",
    &[],
);
pub(crate) static MULTINOMIAL: Operator = plain(
    &["aten::multinomial"],
    kernel("aclnnMultinomial", "aclnnMultinomial_MultinomialAicpu", "AI_CPU"),
    Dims::Logits,
    "",
    &[],
);
pub(crate) static CACHE_WRITE: Operator = plain(
    &["npu::npu_scatter_nd_update"],
    kernel("aclnnScatterNdUpdate", "aclnnScatterNdUpdate_ScatterNdUpdateAiCore", VECTOR),
    Dims::Pair,
    "",
    &[],
);
