import type { VerifyRequest } from './messages.ts';
import { verdictOn } from './verdict.ts';
import { endsBeforeProofs } from './covered-ranges.ts';

/** Verifies one file in a child process. The input is a line with the request and then the bytes of the file. Returns the verdict as JSON. */
export async function work(_argument: string, said: Buffer): Promise<string> {
  const line = said.indexOf('\n');
  const request = JSON.parse(said.toString('utf8', 0, line)) as VerifyRequest;
  const file = said.subarray(line + 1);
  return JSON.stringify(verdictOn(file, request, await endsBeforeProofs(file)));
}
