import { answerQuestions } from '../../../platform/thread-port.ts';
import { type ProviderMetadata, readProviderMetadata } from './provider-metadata.ts';
import { readResponse, type ResponseExpectation, type VerifiedAssertion } from './response.ts';
import { RejectedXml } from './xml.ts';

export type ThreadQuestion = { bytes: Uint8Array } & ({ expected: ResponseExpectation } | { metadataAt: number });
export type ThreadAnswer = { assertion: VerifiedAssertion } | { metadata: ProviderMetadata } | { rejected: string };

/** The thread that reads documents of providers. */
answerQuestions((question: ThreadQuestion): ThreadAnswer => {
  try {
    return 'expected' in question
      ? { assertion: readResponse(question.bytes, question.expected) }
      : { metadata: readProviderMetadata(question.bytes, question.metadataAt) };
  } catch (error) {
    return { rejected: error instanceof RejectedXml ? error.reason : 'unreadable' };
  }
});
