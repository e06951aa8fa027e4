import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import process from 'node:process';
import { test } from 'node:test';

/** Runs code in a process that survives leaked files. Returns its output and exit code. */
function processThat(does: string): Promise<{ code: unknown; said: string }> {
  const module = JSON.stringify(new URL('./leaked-files.ts', import.meta.url));
  const script = `
    import { open } from 'node:fs/promises';
    import { setTimeout as wait } from 'node:timers/promises';
    import { ignoreLeakedFileErrors } from ${module};
    ignoreLeakedFileErrors({ error: (_about, text) => console.log(text) });
    ${does}
    console.log('lives');`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
}

test('the process survives an unclosed file and logs an error', { skip: Number(process.versions.node.split('.')[0]) < 25 }, async () => {
  const { code, said } = await processThat(`
    for (let n = 0; n < 3; n += 1) await open(${JSON.stringify(import.meta.filename)});
    for (let n = 0; n < 20; n += 1) { gc(); await wait(10); }`);
  assert.deepEqual([code, /a file was left open/.test(said), /lives/.test(said)], [0, true, true], said);
});

test('any other uncaught exception ends the process', async () => {
  const { code, said } = await processThat("setTimeout(() => { throw new Error('a fault') }); await wait(50);");
  assert.deepEqual([code, /Error: a fault/.test(said), /lives/.test(said)], [1, true, false], said);
});
