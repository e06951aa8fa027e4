import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agents, startAgentRuns } from '../../test/agent-runs.ts';
import type { Chancery, User } from '../../test/harness.ts';
import { eventually } from '../../test/webhook-receiver.ts';

/** Follows a run to its end; `types` is what was told so far. */
function follow({ url }: Chancery, { token }: User, run: string) {
  const types: string[] = [];
  const read = async () => {
    const answered = await fetch(`${url}${agents}/runs/${run}/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });
    assert.equal(answered.status, 200);
    let text = '';
    for await (const chunk of answered.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      types.splice(0, types.length, ...Array.from(text.matchAll(/^event: (.*)\n/gm), ([, type = '']) => type));
    }
  };
  return { types, over: read() };
}

/** What a service reads of calls and looks for of documents from now on: rows, and how often. */
function counted(chancery: Chancery) {
  const counts = { calls: 0, looks: 0 };
  const { database } = chancery.app();
  const reader = database.reader.bind(database);
  database.reader = (team) => {
    const db = reader(team);
    return {
      ...db,
      all: async (statement, params) => {
        const rows = await db.all(statement, params);
        if (statement.text.includes('FROM agent_run_call')) counts.calls += rows.length;
        if (statement.text.includes('FROM document o')) counts.looks += 1;
        return rows;
      },
    };
  };
  return counts;
}

test('what a run was told is read once however many follow it, and what happens has each person looked at once', async () => {
  const runs = await startAgentRuns({ role: 'api', inProcess: true });
  try {
    const { chancery, owner } = runs;
    await chancery.node('worker');
    const admin = await chancery.user(runs.team, { role: 'admin' });
    const { id } = await chancery.document(owner);
    const go = Promise.withResolvers<void>();
    const calls = Array.from({ length: 30 }, () => ({ name: 'get_document', input: { id } }));
    const script = [
      { text: 'I look.', calls },
      { text: 'And again.', calls: calls.slice(0, 1), waits: () => go.promise },
      { text: 'Done.' },
    ];
    const run = await runs.begun(script);
    await eventually('it has looked', async () => runs.asked(run).length === 2);
    const counts = counted(chancery);
    const all = [...Array.from({ length: 8 }, () => owner), admin, admin].map((by) => follow(chancery, by, run));
    await eventually('all know that', async () => all.every(({ types }) => types.filter((type) => type === 'call.finished').length === 30));
    assert.equal(counts.calls, 30);
    counts.looks = 0;
    go.resolve();
    await Promise.all(all.map(({ over }) => over));
    for (const { types } of all) assert.equal(types.at(-1), 'run.finished');
    assert.equal(counts.calls, 31);
    // For each of two people, when a step or a call was over, and the run; one more where two of these came apart for some who follow.
    assert.ok(counts.looks <= 16, `${counts.looks} looks`);
  } finally {
    await runs.stop();
  }
});
