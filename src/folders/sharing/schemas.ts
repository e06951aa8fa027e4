import { type Static, Type } from 'typebox';
import { accessList } from '../schemas.ts';

/** Whom a thing is shared with, and for what; `reading` says what to read it is. */
export const shareBody = (reading?: string) =>
  Type.Object({
    userId: Type.Optional(Type.String({ maxLength: 64, description: 'With whom; or `team`' })),
    team: Type.Optional(Type.Literal(true, { description: 'With the whole team, whoever joins later too' })),
    access: Type.Enum(['read', 'write'], reading === undefined ? {} : { description: reading }),
  });
export type ShareBody = Static<ReturnType<typeof shareBody>>;

export const grant = accessList.properties.grants.items;
