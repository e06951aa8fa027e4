import type { Workflow } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { Comments } from '../../parts/comments.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useStepWords } from '../../parts/workflow/step-words.tsx';
import { useRights } from './workflow-data.ts';

/** The most comments that the page shows. */
const maxComments = 200;

/** The comments on a workflow and its steps. */
export function CommentsTab({ workflow }: { workflow: Workflow }): JSX.Element {
  const client = useQueryClient();
  const { nameOf } = useStepWords();
  const { comments } = useRights(workflow);
  const { id, steps } = workflow;
  const query = useQuery({
    queryKey: ['workflow', id, 'comments'],
    queryFn: () => ok(api.GET('/api/v1/workflows/{id}/comments', { params: { path: { id }, query: { limit: maxComments } } })),
  });
  if (query.isPending) return <Loading rows={3} />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const add = async (text: string) => {
    await ok(api.POST('/api/v1/workflows/{id}/comments', { params: { path: { id } }, body: { text } }));
    await client.invalidateQueries({ queryKey: ['workflow', id] });
  };
  return (
    <Comments
      comments={query.data}
      add={comments ? add : undefined}
      about={({ stepId }) => {
        const step = steps.find((one) => one.id === stepId);
        return (
          step && (
            <Link to="/workflows/$id" params={{ id }} search={{ step: step.id }}>
              {nameOf(step)}
            </Link>
          )
        );
      }}
    />
  );
}
