import process from 'node:process';

/** What a confined script exports as `work`: it answers what it was asked, by an argument and by what came on its standard input. */
export type Work = (argument: string, input: Buffer) => Promise<string | Uint8Array> | string | Uint8Array;

/** Hands the argument of this process and its standard input to a script, and writes what that answers to the standard output. */
export async function answer(work: Work): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  process.stdout.write(await work(process.argv.at(-1) ?? '', Buffer.concat(chunks)));
}
