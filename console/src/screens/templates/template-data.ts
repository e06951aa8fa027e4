import { useQuery } from '@tanstack/react-query';
import { api, ok } from '../../api.ts';

/** The templates that the service brings along. */
export const useLibrary = () =>
  useQuery({
    queryKey: ['document-template library'],
    queryFn: () => ok(api.GET('/api/v1/document-templates/library')),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useTemplate = (id: string) =>
  useQuery({
    queryKey: ['document_template', id],
    queryFn: () => ok(api.GET('/api/v1/document-templates/{id}', { params: { path: { id } } })),
  });

const pageSize = 100;

/** Returns the template of the team that was copied from the library, or copies it. */
export async function ownCopyOf(slug: string): Promise<string> {
  const templates = await ok(api.GET('/api/v1/document-templates/', { params: { query: { limit: pageSize, sort: '-createdAt' } } }));
  const own = templates.find(({ librarySlug, version }) => librarySlug === slug && version === 1);
  return own?.id ?? (await ok(api.POST('/api/v1/document-templates/library/{slug}', { params: { path: { slug } } }))).id;
}
