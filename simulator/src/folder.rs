//! The two small files that describe a rank folder, and its name.

use crate::options::Options;
use crate::world::World;

/// Name of the rank folder below its role: host, process, local time with milliseconds.
pub(crate) fn name(world: &World) -> String {
    let milliseconds = world.start.div_euclid(1_000_000);
    let of_day = milliseconds.rem_euclid(86_400_000);
    // The simulated runs all lie on one day, so the date needs no calendar.
    format!(
        "node-7c1d-worker-0_{}_20260526{:02}{:02}{:02}{:03}_ascend_pt",
        world.pid,
        of_day / 3_600_000,
        of_day / 60_000 % 60,
        of_day / 1000 % 60,
        of_day % 1000
    )
}

/// profiler_info_RANK.json.
pub(crate) fn info(world: &World, steps: u32, end: i64) -> String {
    format!(
        r#"{{
    "config": {{
        "common_config": {{
            "activities": [
                "ProfilerActivity.CPU",
                "ProfilerActivity.NPU"
            ],
            "schedule": {{
                "wait": 0,
                "active": {steps},
                "warmup": 1,
                "repeat": 1,
                "skip_first": {skip}
            }},
            "record_shapes": true,
            "profile_memory": true,
            "with_stack": true,
            "with_flops": false,
            "with_modules": true
        }},
        "experimental_config": {{
            "_profiler_level": "Level0",
            "_aic_metrics": "ACL_AICORE_NONE",
            "_l2_cache": false,
            "_mstx": false,
            "_data_simplification": true,
            "record_op_args": false,
            "_export_type": [
                "text"
            ],
            "_op_attr": false,
            "_gc_detect_threshold": null,
            "_host_sys": [],
            "_mstx_domain_include": [],
            "_mstx_domain_exclude": [],
            "_sys_io": false,
            "_sys_interconnection": false
        }}
    }},
    "start_info": {{
        "syscnt_enable": false,
        "freq": 100,
        "start_cnt": 0,
        "start_monotonic": 168723724831520
    }},
    "end_info": {{
        "collectionTimeEnd": {end},
        "MonotonicTimeEnd": {monotonic}
    }},
    "torch_npu_version": "2.7.1.post2",
    "cann_version": "8.3.RC1",
    "rank_id": "{rank}"
}}"#,
        skip = world.first_step.saturating_sub(1),
        monotonic = 168_723_724_831_520 + (end - world.start),
        rank = world.rank,
    )
}

/// profiler_metadata.json.
pub(crate) fn metadata(world: &World, options: &Options) -> String {
    let ranks: Vec<String> = (0..options.ranks).map(|rank| rank.to_string()).collect();
    format!(
        concat!(
            "{{\"distributed_args\": {{\"tensor_model_parallel_size\": 1, \"pipeline_model_parallel_size\": 1, ",
            "\"data_parallel_size\": {world_size}, \"rank\": {rank}, \"world_size\": {world_size}}}, ",
            "\"ENV_VARIABLES\": {{\"ASCEND_GLOBAL_LOG_LEVEL\": \"\", \"HCCL_RDMA_TC\": \"\", \"HCCL_RDMA_SL\": \"\", ",
            "\"ACLNN_CACHE_LIMIT\": \"\", \"PYTORCH_NPU_ALLOC_CONF\": \"\", \"ASCEND_LAUNCH_BLOCKING\": \"\", ",
            "\"HCCL_ALGO\": \"\", \"TASK_QUEUE_ENABLE\": \"{queue}\"}}, ",
            "\"parallel_group_info\": {{\"192.0.2.17%eth0_55000_0_1779785515000000\": {{\"group_name\": \"default_group\", ",
            "\"group_rank\": {rank}, \"global_ranks\": [{ranks}]}}}}}}"
        ),
        world_size = options.ranks,
        rank = world.rank,
        queue = if world.variety.workspace { 2 } else { 1 },
        ranks = ranks.join(", "),
    )
}
