import { Type } from 'typebox';
import { defineEvent } from '../../platform/journal/audit-actions.ts';

/** An address became undeliverable: its server rejected a mail of the team, at once or by a later report. */
export const mailUndeliverable = defineEvent({
  type: 'mail.undeliverable',
  target: 'mail',
  scope: 'team:read',
  description: 'An email address of a member, signer or visitor is undeliverable. Later rejections of the same address send no event.',
  data: Type.Object({
    status: Type.String({ description: 'The enhanced status code (RFC 3463), such as 5.1.1' }),
    diagnostic: Type.String({ description: 'The text of the mail server, without email addresses; empty if it sent none' }),
    userId: Type.Optional(Type.String({ description: 'The member with the address' })),
    resourceId: Type.Optional(
      Type.String({ description: 'The resource that the mail was about, such as an invitation, signer, booking or submission' }),
    ),
  }),
  example: {
    status: '5.1.1',
    diagnostic: '550 5.1.1 …: User unknown',
    resourceId: '01999999-0000-7000-8000-000000000000',
  },
});
