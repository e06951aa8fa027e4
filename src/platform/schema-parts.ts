import { Type } from 'typebox';

/** An object that has no members but those that its schema names. */
export const closed = { additionalProperties: false } as const;

export const time = Type.String({ format: 'date-time' });
export const uuid = Type.String({ format: 'uuid' });
export const text = (maxLength: number) => Type.String({ maxLength });

/** The parameters of a path that ends in one identifier. */
export const idParams = Type.Object({ id: Type.String() });

/** A member that a client may send back as it read it. */
export const asRead = Type.Optional(Type.Unknown({ description: 'As it was read; not changed here' }));

/** The member of an event that marks an action that only the actor’s role allowed. */
export const roleVia = Type.Optional(Type.Literal('role', { description: 'Allowed by the actor’s role in the team alone' }));
