import { ParentClosePolicy, proxyActivities, sleep, startChild } from '@temporalio/workflow';

const { doNothing } = proxyActivities<{ doNothing(): Promise<void> }>({ startToCloseTimeout: '1 minute' });

const AT_ONCE = 200;

/** The reference for a fan-out: children that only start one timer. */
export async function bareParent(ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    await Promise.all(
      ids
        .slice(from, from + AT_ONCE)
        .map((workflowId) => startChild(bareChild, { workflowId, parentClosePolicy: ParentClosePolicy.ABANDON })),
    );
  }
}

export async function bareChild(): Promise<void> {
  await sleep('1 day');
}

/** The reference for a contact: one activity that does nothing, and a wait until the next one. */
export async function bareContact(): Promise<void> {
  await doNothing();
  await sleep('1 day');
}
