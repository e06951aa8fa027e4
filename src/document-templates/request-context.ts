import type { FastifyRequest } from 'fastify';
import { noteReadingByRole } from '../platform/http/role-readings.ts';
import { reading } from '../platform/http/scope.ts';
import { readableTemplate, type Reached } from './access.ts';
import { templateRead } from './events.ts';

/** A template that the caller may use; that only their role opens it is journaled. */
export async function noted(request: FastifyRequest, id: string): Promise<Reached> {
  const found = await readableTemplate(reading(request), id);
  await noteReadingByRole(request, templateRead, { id: found.template.id, via: found.access.via });
  return found;
}
