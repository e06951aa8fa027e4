import type { DomainText } from '../../platform/http/openapi/texts.ts';

export const description: DomainText = {
  operations: {
    reportBounce: {
      text: 'Receives a message that came to a bounce address, from the mail system of the operator. It authenticates with `BOUNCE_TOKEN`. A delivery status notification (RFC 3464) of a failure makes the address of the mail undeliverable, for the team that sent the mail. Other messages, such as automatic replies, and repeated reports have no effect. The body is the message as `message/rfc822`, at most 256 KiB.',
      problems: ['bounce_address_invalid', 'invalid_token'],
      answer: { recorded: true },
    },
  },
};
