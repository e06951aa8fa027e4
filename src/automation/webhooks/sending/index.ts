/** One attempt: headers, signature, request, answer, and when the next one is. */
export { createSender } from './sender.ts';
