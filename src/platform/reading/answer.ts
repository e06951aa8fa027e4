import process from 'node:process';

/** The function `work` that a sandboxed script exports. It gets an argument and the bytes of its standard input, and returns the output. */
export type Work = (argument: string, input: Buffer) => Promise<string | Uint8Array> | string | Uint8Array;

/** Runs `work` with the last process argument and the standard input, and writes the result to the standard output. */
export async function answer(work: Work): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  process.stdout.write(await work(process.argv.at(-1) ?? '', Buffer.concat(chunks)));
}
