import { type Static, Type } from 'typebox';

/** Rejects members that the schema does not define. */
export const closed = { additionalProperties: false } as const;

export const time = Type.String({ format: 'date-time' });
export const uuid = Type.String({ format: 'uuid' });
export const text = (maxLength: number) => Type.String({ maxLength });

/** The parameters of a path with one identifier. */
export const idParams = Type.Object({ id: Type.String() });

/** The state of an address to which mails of the team cannot be delivered. */
export const undeliverable = Type.Object(
  {
    since: time,
    status: Type.String({ description: 'The enhanced status code (RFC 3463) of the last rejection, such as 5.1.1' }),
    diagnostic: Type.String({ description: 'The text of the mail server, without email addresses; empty if it sent none' }),
  },
  { ...closed, title: 'Undeliverable', description: 'Mails of your team to the address are rejected; absent if they are delivered' },
);
export type Undeliverable = Static<typeof undeliverable>;

/** A read-only member. Clients may send it back; it has no effect. */
export const asRead = Type.Optional(Type.Unknown({ description: 'Read-only; ignored in requests' }));

/** The member `via` of an event, for an action that only the role of the actor allowed. */
export const roleVia = Type.Optional(Type.Literal('role', { description: 'Allowed by the actor’s role in the team alone' }));
