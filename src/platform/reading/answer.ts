import { readFileSync } from 'node:fs';
import process from 'node:process';

/** The function `work` that a sandboxed script exports. It gets an argument and the bytes of its standard input, and returns the output. */
export type Work = (argument: string, input: Buffer) => Promise<string | Uint8Array> | string | Uint8Array;

/** Runs `work` with the last process argument and the standard input, and writes the result to the standard output. */
export async function answer(work: Work): Promise<void> {
  process.stdout.write(await work(process.argv.at(-1) ?? '', readFileSync(0)));
}
