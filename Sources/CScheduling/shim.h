#pragma once
#include <stdint.h>
#include <sched.h>
#include <sys/syscall.h>

// sched_setattr(2) has a function in glibc from 2.41 on only, and syscall(2) is variadic, which Swift cannot call.
extern long syscall(long number, ...);

// The structure that Linux takes, in its first version; <linux/sched/types.h> cannot stand beside <sched.h> in every glibc.
struct cscheduling_attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

enum { cscheduling_usual = 0 /* SCHED_OTHER */, cscheduling_batch = 3 /* SCHED_BATCH */ };

static inline long cscheduling_get(struct cscheduling_attributes *attributes) {
    return syscall(SYS_sched_getattr, 0, attributes, (unsigned int)sizeof *attributes, 0u);
}

// Gives the calling thread a policy and a slice in nanoseconds; 0 is the system's own slice. Its nice value stays. Kernels before
// 6.12 take no notice of the slice. What the thread starts has the system's own again: once that is said, only the
// privileged may take it back, so it is said always.
static inline int cscheduling_set(uint32_t policy, uint64_t slice) {
    struct cscheduling_attributes attributes = {0};
    if (cscheduling_get(&attributes) != 0) return -1;
    attributes.size = sizeof attributes;
    attributes.policy = policy;
    attributes.priority = 0;
    attributes.runtime = slice;
    attributes.deadline = attributes.period = 0;
    attributes.flags = 1 /* SCHED_FLAG_RESET_ON_FORK */;
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0u);
}

// Whether the calling thread has a policy and a slice; -1 where that cannot be told. A kernel that knows of no slices names none.
static inline int cscheduling_has(uint32_t policy, uint64_t slice) {
    struct cscheduling_attributes attributes = {0};
    if (cscheduling_get(&attributes) != 0) return -1;
    return attributes.policy == policy && (attributes.runtime == slice || attributes.runtime == 0);
}
