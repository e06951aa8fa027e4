import { Button } from '@mantine/core';
import type { Workflow } from '@chancery/client';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Versioned } from '../../api.ts';
import { Name } from '../../parts/name.tsx';
import { tabsClass } from '../../parts/page-tabs.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { Diagram } from '../../parts/workflow/diagram.tsx';
import { StepList } from '../../parts/workflow/step-list.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { AccessTab } from './access.tsx';
import { WorkflowActions } from './actions.tsx';
import { HistoryTab } from './history.tsx';
import { type WorkflowSearch, workflowTabs } from './routes.ts';
import { StepDetails } from './step-details.tsx';
import { workflowTexts } from './texts.ts';
import { currentSteps, isOverdue, useOwnTask, useWorkflow } from './workflow-data.ts';
import { CommentsTab } from './workflow-comments.tsx';
import { WaitsFor } from './workflows.tsx';
import styles from './workflows.module.css';

/** The page of a workflow. */
export function WorkflowPage(): JSX.Element {
  const { id = '' } = useParams({ strict: false });
  const query = useWorkflow(id);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return (
    <Screen title={query.data.data.name}>
      <Summary version={query.data} />
      <Tabs key={id} workflow={query.data.data} />
    </Screen>
  );
}

/** A workflow in the side panel. */
export function WorkflowPeek({ id }: { id: string }): JSX.Element {
  const { openPage } = useTexts(commonTexts);
  const query = useWorkflow(id);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return (
    <div className={styles.part}>
      <h2 className={styles.panelTitle}>{query.data.data.name}</h2>
      <Link to="/workflows/$id" params={{ id }}>
        {openPage}
      </Link>
      <Summary version={query.data} />
      <StepList workflow={query.data.data} />
    </div>
  );
}

/** The state of a workflow, its current steps, and the actions of the person. */
function Summary({ version }: { version: Versioned<Workflow> }): JSX.Element {
  const words = useTexts(workflowTexts);
  const { data: workflow } = version;
  const { status, reason, dueDate, createdBy, startedAt, createdAt, completedAt, documents } = workflow;
  const isStopped = status === 'paused' || status === 'cancelled';
  return (
    <div className={styles.part}>
      <div className={styles.summary}>
        <Status of="workflow" status={status} />
        {status === 'active' && currentSteps(workflow).length > 0 && (
          <span>
            {words.waitsFor}: <WaitsFor workflow={workflow} />
          </span>
        )}
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{documents.length > 1 ? words.documents : words.document}</dt>
          <dd>
            {documents.map(({ documentId }, at) => (
              <span key={documentId}>
                {at > 0 && ', '}
                <DocumentName id={documentId} />
              </span>
            ))}
          </dd>
        </div>
        <div>
          <dt>{startedAt === undefined ? words.createdBy : words.startedBy}</dt>
          <dd>
            <Name id={createdBy} />{' '}
            <span className="soft">
              <Time at={startedAt ?? createdAt} />
            </span>
          </dd>
        </div>
        {dueDate !== undefined && (
          <div>
            <dt>{words.due}</dt>
            <dd className={isOverdue(workflow) ? styles.wrong : undefined}>
              <Time at={dueDate} exact /> {isOverdue(workflow) && words.overdue}
            </dd>
          </div>
        )}
        {completedAt !== undefined && (
          <div>
            <dt>{words.endedAt}</dt>
            <dd>
              <Time at={completedAt} exact />
            </dd>
          </div>
        )}
      </dl>
      {status === 'paused' && <p className={styles.notice}>{words.pausedText}</p>}
      {isStopped && reason !== undefined && (
        <p>
          <span className="soft">{words.reasonGiven}</span> {reason}
        </p>
      )}
      <div className={styles.actions}>
        {status === 'active' && <OwnTask workflow={workflow} />}
        <WorkflowActions version={version} />
      </div>
    </div>
  );
}

const isId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** A document of the service as a link, or the name that another system gave. */
function DocumentName({ id }: { id: string }): JSX.Element {
  if (!isId(id)) return <span>{id}</span>;
  return (
    <Link to="/documents/$id" params={{ id }}>
      <Name id={id} />
    </Link>
  );
}

/** The way to the open task of the person. */
function OwnTask({ workflow: { id } }: { workflow: Workflow }): JSX.Element | null {
  const words = useTexts(workflowTexts);
  const { data: own } = useOwnTask(id);
  if (!own) return null;
  return (
    <Button renderRoot={(props) => <Link {...props} to="/tasks/$id" params={{ id: own.id }} />} size="sm">
      {words.openTask(own.title)}
    </Button>
  );
}

function Tabs({ workflow }: { workflow: Workflow }): JSX.Element {
  const words = useTexts(workflowTexts);
  const { tab = 'steps' }: WorkflowSearch = useSearch({ strict: false });
  const { id } = workflow;
  return (
    <>
      <nav className={tabsClass} aria-label={words.parts}>
        {workflowTabs.map((one) => (
          <Link
            key={one}
            to="/workflows/$id"
            params={{ id }}
            search={one === 'steps' ? {} : { tab: one }}
            replace
            resetScroll={false}
            aria-current={one === tab ? 'page' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {words.pageTabs[one]}
          </Link>
        ))}
      </nav>
      {tab === 'steps' && <StepsTab workflow={workflow} />}
      {tab === 'comments' && <CommentsTab workflow={workflow} />}
      {tab === 'history' && <HistoryTab workflow={workflow} />}
      {tab === 'access' && <AccessTab id={id} />}
    </>
  );
}

function StepsTab({ workflow }: { workflow: Workflow }): JSX.Element {
  const { step: wanted }: WorkflowSearch = useSearch({ strict: false });
  const step = workflow.steps.find(({ id }) => id === wanted);
  return (
    <div className={styles.part}>
      <Diagram workflow={workflow} selected={step?.id} />
      <StepList
        workflow={workflow}
        {...(step ? { open: { id: step.id, content: <StepDetails key={step.id} workflow={workflow} step={step} /> } } : {})}
      />
    </div>
  );
}
