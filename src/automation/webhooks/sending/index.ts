/** One attempt: headers, signature, request and response, and the time of the next attempt. */
export { createSender } from './sender.ts';
