import { defineProblems } from '../../platform/problems.ts';

export const bounceProblems = defineProblems({
  bounce_address_invalid: {
    status: 422,
    title: 'Not a bounce address of this service',
    help: '`recipient` is not an envelope sender of a mail from this service: the token after `+` is wrong. Send the address to which the report was delivered. Do not retry.',
  },
});
