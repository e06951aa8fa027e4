import type { Workflow } from '@chancery/client';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { Diagram } from '../../parts/workflow/diagram.tsx';
import { StepList } from '../../parts/workflow/step-list.tsx';
import { useTexts } from '../../texts/texts.ts';
import styles from './document.module.css';
import { pageTexts } from './texts.ts';

/** The workflows of a document, with their steps. */
export function WorkflowTab({ id }: { id: string }): JSX.Element {
  const words = useTexts(pageTexts);
  const query = useQuery({
    queryKey: ['workflow', 'list', { documentId: id }],
    queryFn: () =>
      ok(
        api.GET('/api/v1/workflows/document/{documentId}', {
          params: { path: { documentId: id }, query: { limit: 20, sort: '-createdAt' } },
        }),
      ),
  });
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (query.data.length === 0) return <Empty title={words.noWorkflow}>{words.noWorkflowText}</Empty>;
  return (
    <div className={styles.part}>
      {query.data.map((workflow) => (
        <WorkflowPart key={workflow.id} workflow={workflow} />
      ))}
    </div>
  );
}

function WorkflowPart({ workflow }: { workflow: Workflow }): JSX.Element {
  const words = useTexts(pageTexts);
  const { id, name, status, startedAt } = workflow;
  return (
    <section className={styles.part} aria-label={name}>
      <div className={styles.row}>
        <h2>
          <Link to="/workflows/$id" params={{ id }}>
            {name}
          </Link>
        </h2>
        <Status of="workflow" status={status} />
        {startedAt !== undefined && (
          <span className="soft">
            {words.started} <Time at={startedAt} />
          </span>
        )}
      </div>
      <Diagram workflow={workflow} />
      <StepList workflow={workflow} />
    </section>
  );
}
