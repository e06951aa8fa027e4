import type { FastifyRequest } from 'fastify';
import { noteReadingByRole } from '../../../platform/http/privileged-access.ts';
import type { AccessibleRegistry } from '../access.ts';
import { registryRead } from '../events.ts';

/** Adds a journal entry if the actor read records only because of their role. */
export const noteReading = (request: FastifyRequest, { registry: { id }, access: { via } }: AccessibleRegistry): Promise<void> =>
  noteReadingByRole(request, registryRead, { id, via });
