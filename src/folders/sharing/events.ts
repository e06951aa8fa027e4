import { Type } from 'typebox';

const via = Type.Optional(Type.Literal('role', { description: 'Allowed by the actor’s role in the team alone' }));
const withWhom = { userId: Type.Optional(Type.String()), team: Type.Optional(Type.Boolean()) };

/** What entries say of a thing that was shared, of a share that ended, and of one that came to somebody else since its owner left. */
export const sharedMembers = { ...withWhom, access: Type.String(), via };
export const unsharedMembers = { ...withWhom, via };
export const handedOverMembers = { from: Type.String(), to: Type.String(), via };
