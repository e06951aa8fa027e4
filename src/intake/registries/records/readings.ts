import type { FastifyRequest } from 'fastify';
import { recordPrivilegedAccess } from '../../../platform/http/privileged-access.ts';
import type { AccessibleRegistry } from '../access.ts';
import { registryRead } from '../events.ts';

/** Adds a journal entry if the actor read records only because of their role. */
export const recordReading = (request: FastifyRequest, { registry: { id }, access: { via } }: AccessibleRegistry): Promise<void> =>
  recordPrivilegedAccess(request, registryRead, { id, via });
