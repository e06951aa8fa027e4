import type { FastifyRequest } from 'fastify';
import { noteReadingByRole } from '../../../platform/http/privileged-access.ts';
import type { AccessibleRegistry } from '../access.ts';
import { registryRead } from '../events.ts';

/** Has the journal say that somebody read records that their role alone opens to them. */
export const noteReading = (request: FastifyRequest, { registry: { id }, access: { via } }: AccessibleRegistry): Promise<void> =>
  noteReadingByRole(request, registryRead, { id, via });
