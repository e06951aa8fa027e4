import type { Actor } from '../../platform/scope.ts';

/** A batch makes documents, and asks for signatures on them: what a program needs for that, when it asks and for each row. */
const scopes = ['documents:read', 'documents:write', 'signatures:write'];

/** Whether the actor may have many asked at once, as far as scopes say. */
export const mayMakeBatch = (actor: Actor): boolean => !('scopes' in actor) || scopes.every((one) => actor.scopes.has(one));
