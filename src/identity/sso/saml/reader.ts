import { openLimitedThread, ThreadLimitError } from '../../../platform/limited-thread.ts';
import { builtFile } from '../../../platform/entry-points.ts';
import { problems } from '../../../platform/problems.ts';
import type { ProviderMetadata } from './provider-metadata.ts';
import type { ResponseExpectation, VerifiedAssertion } from './response.ts';
import type { ThreadAnswer, ThreadQuestion } from './thread.ts';
import { RejectedXml } from './xml.ts';

/** `cpuMs`: CPU time of one document. `waitMs`: time until its result, including the wait for others. Both are limits in milliseconds. */
const bounds = { cpuMs: 1_000, waitMs: 10_000 } as const;

/** Reads documents of SAML providers in a thread with limits of CPU time and memory; teams take turns. Throws {@link RejectedXml} or 503. */
export type SamlReader = {
  response(team: string, bytes: Uint8Array, expected: ResponseExpectation): Promise<VerifiedAssertion>;
  metadata(team: string, bytes: Uint8Array, now: number): Promise<ProviderMetadata>;
  close(): Promise<void>;
};

export function openSamlReader(): SamlReader {
  const thread = openLimitedThread<ThreadQuestion, ThreadAnswer>(builtFile(new URL('./thread.ts', import.meta.url)));

  async function ask<Member extends string>(team: string, question: ThreadQuestion, member: Member) {
    const answer = await thread.ask(team, question, bounds).catch((error: unknown) => {
      if (!(error instanceof ThreadLimitError)) throw error;
      if (error.usedMs > bounds.cpuMs) throw new RejectedXml('too_expensive');
      throw problems.unavailable('Too many sign-ins wait for their verification. Try again in a few seconds.', {
        headers: { 'retry-after': '5' },
      });
    });
    if ('rejected' in answer) throw new RejectedXml(answer.rejected);
    return (answer as Record<Member, unknown>)[member];
  }

  return {
    response: async (team, bytes, expected) => (await ask(team, { bytes, expected }, 'assertion')) as VerifiedAssertion,
    metadata: async (team, bytes, now) => (await ask(team, { bytes, metadataAt: now }, 'metadata')) as ProviderMetadata,
    close: () => thread.close(),
  };
}
