import type { Workflow } from '@chancery/client';
import { Link, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { List, type ListColumn } from '../../parts/list.tsx';
import { tabsClass } from '../../parts/page-tabs.tsx';
import { Peek, usePeek } from '../../parts/peek.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { StartLink } from '../../parts/workflow/start-link.tsx';
import { isDone, StepPeople, useStepWords } from '../../parts/workflow/step-words.tsx';
import { stepTexts } from '../../parts/workflow/texts.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { type ListTab, listTabs } from './routes.ts';
import { workflowTexts } from './texts.ts';
import { currentSteps, isOverdue, readWorkflows } from './workflow-data.ts';
import { WorkflowPeek } from './workflow.tsx';
import styles from './workflows.module.css';

/** The workflows that the person can see, in tabs by their state. */
export function Workflows(): JSX.Element {
  const { workflows: title } = useTexts(commonTexts);
  const words = useTexts(workflowTexts);
  const { peek } = usePeek();
  const { tab = 'running', q } = useSearch({ from: '/shell/workflows' });
  return (
    <Screen title={title} actions={<StartLink isMain />}>
      <div className={styles.filters}>
        <nav className={tabsClass} aria-label={words.show}>
          {listTabs.map((one) => (
            <Link
              key={one}
              to="/workflows"
              search={{ tab: one, ...(q === undefined ? {} : { q }) }}
              aria-current={one === tab ? 'page' : undefined}
              replace
            >
              {words.tabs[one]}
            </Link>
          ))}
        </nav>
        <SearchField label={words.search} />
      </div>
      <List
        key={`${tab} ${q}`}
        label={title}
        queryKey={['workflow', 'list', tab, q]}
        read={(cursor) => readWorkflows({ tab, q }, cursor)}
        to={({ id }) => `/workflows/${id}`}
        title={({ name }) => name}
        peeks
        columns={useColumns(tab)}
        empty={
          <Empty title={q === undefined ? words.none[tab] : words.noneFound}>
            {q === undefined ? words.noneText[tab] : words.noneFoundText}
          </Empty>
        }
      />
      <Peek label={words.preview}>{peek !== undefined && <WorkflowPeek key={peek} id={peek} />}</Peek>
    </Screen>
  );
}

function useColumns(tab: ListTab): ListColumn<Workflow>[] {
  const words = useTexts(workflowTexts);
  const name: ListColumn<Workflow> = {
    header: words.name,
    cell: (workflow) => (
      <>
        {workflow.name}
        <span className={styles.second}>
          {tab === 'draft' || tab === 'ended' ? <Status of="workflow" status={workflow.status} /> : <WaitsFor workflow={workflow} />}
        </span>
      </>
    ),
  };
  const progress: ListColumn<Workflow> = {
    header: words.progress,
    cell: ({ steps }) => <Progress steps={steps} />,
    narrow: true,
    wide: true,
  };
  if (tab === 'draft')
    return [
      name,
      { header: words.steps, cell: ({ steps }) => steps.length, narrow: true, wide: true },
      { header: words.changed, cell: ({ updatedAt }) => <Time at={updatedAt} />, narrow: true },
    ];
  if (tab === 'ended')
    return [
      name,
      { header: words.how, cell: ({ status }) => <Status of="workflow" status={status} />, narrow: true, wide: true },
      progress,
      { header: words.endedAt, cell: ({ completedAt, updatedAt }) => <Time at={completedAt ?? updatedAt} />, narrow: true },
    ];
  return [
    name,
    { header: words.waitsFor, cell: (workflow) => <WaitsFor workflow={workflow} />, wide: true },
    progress,
    { header: words.due, cell: (workflow) => <Due workflow={workflow} />, narrow: true },
  ];
}

/** The most steps that a row names. */
const maxNamed = 2;

/** The step that a workflow waits for, and who does it. */
export function WaitsFor({ workflow }: { workflow: Workflow }): JSX.Element {
  const words = useTexts(workflowTexts);
  const { nameOf } = useStepWords();
  const steps = currentSteps(workflow);
  if (workflow.status === 'paused') return <Status of="workflow" status="paused" />;
  return (
    <>
      {steps.slice(0, maxNamed).map((step) => (
        <span key={step.id} className={styles.waits}>
          {step.status === 'failed' ? (
            <span className={styles.wrong}>{words.failedStep(nameOf(step))}</span>
          ) : (
            <>
              {nameOf(step)}{' '}
              <span className="soft">
                (<StepPeople step={step} fallback={workflow.assignedTo ?? workflow.createdBy} />)
              </span>
            </>
          )}
        </span>
      ))}
      {steps.length > maxNamed && <span className="soft">{words.more(steps.length - maxNamed)}</span>}
    </>
  );
}

function Progress({ steps }: Pick<Workflow, 'steps'>): JSX.Element {
  const { progress } = useTexts(stepTexts);
  const done = steps.filter(isDone).length;
  return (
    <span className={styles.progress}>
      <meter min={0} max={steps.length} value={done} aria-label={progress(done, steps.length)} />
      <span className="numbers" aria-hidden="true">
        {done}/{steps.length}
      </span>
    </span>
  );
}

function Due({ workflow }: { workflow: Workflow }): JSX.Element | null {
  const words = useTexts(workflowTexts);
  const { dueDate } = workflow;
  if (dueDate === undefined) return <span className="soft">–</span>;
  return (
    <span className={isOverdue(workflow) ? styles.wrong : undefined}>
      <Time at={dueDate} />
      {isOverdue(workflow) && <span className="apart"> {words.overdue}</span>}
    </span>
  );
}
