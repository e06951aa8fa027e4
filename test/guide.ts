import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';

/** Returns the code blocks of a guide by the text after their three backticks. */
export function blocksOf(guide: string, heading: string): string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${heading}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);
}

/** Returns the documented output lines of a script: the texts after `# →`. */
export const promisedBy = (script: string): string[] => [...script.matchAll(/# → (.*)$/gm)].map(([, line = '']) => line);

/** Creates a checkout of the project in a folder, without the files that a reader creates. */
export function checkoutIn(folder: string): string {
  mkdirSync(folder);
  for (const part of ['package.json', 'node_modules', 'packages', 'scripts', 'src', 'demo', 'examples'])
    symlinkSync(resolve(part), join(folder, part));
  return folder;
}

/** Runs a script in a folder as a reader would. Temporary files go to `scratch`. */
export async function typed(
  script: string,
  { cwd, scratch, port }: { cwd: string; scratch: string; port: number },
): Promise<{ answered: string; complaints: string; exit: unknown[] }> {
  const shell = spawn('bash', ['-euo', 'pipefail'], {
    cwd,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: process.env.HOME,
      NODE_NO_WARNINGS: '1',
      TMPDIR: scratch,
      // By default the compile cache is in the temporary folder, so each guide would compile the modules again.
      ...(process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      PORT: String(port),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  shell.stdin.end(script);
  const exit = once(shell, 'exit');
  const [answered, complaints] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  return { answered, complaints, exit: await exit };
}
