import type { Workflow } from '@chancery/client';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { Icon, type IconName } from '../icons.tsx';
import { Time } from '../time.tsx';
import { StepPeople, useStepWords, type WorkflowStep } from './step-words.tsx';
import { stepTexts } from './texts.ts';
import styles from './workflow.module.css';

const icons: Readonly<Record<WorkflowStep['status'], IconName | undefined>> = {
  pending: undefined,
  active: 'clock',
  completed: 'check',
  rejected: 'close',
  skipped: 'minus',
  failed: 'warning',
};

/** The state of a step as a sign. The words are beside it. */
export function StepMark({ status }: Pick<WorkflowStep, 'status'>): JSX.Element {
  const icon = icons[status];
  return (
    <span className={styles.mark} data-status={status}>
      {icon && <Icon name={icon} size={16} />}
    </span>
  );
}

type StepListProps = {
  workflow: Workflow;
  /** The step that is open, and its content. */
  open?: { id: string; content: ReactNode };
};

/** The steps of a workflow in their order. Each leads to its details. */
export function StepList({ workflow, open }: StepListProps): JSX.Element {
  const words = useTexts(stepTexts);
  return (
    <ol className={styles.steps} aria-label={words.steps}>
      {workflow.steps.map((step) => (
        <li key={step.id} data-open={step.id === open?.id || undefined}>
          <StepRow workflow={workflow} step={step} isOpen={step.id === open?.id} />
          {step.id === open?.id && open.content}
        </li>
      ))}
    </ol>
  );
}

type StepRowProps = { workflow: Workflow; step: WorkflowStep; isOpen: boolean };

function StepRow({ workflow, step, isOpen }: StepRowProps): JSX.Element {
  const words = useTexts(stepTexts);
  const { nameOf } = useStepWords();
  const { id, assignedTo, createdBy } = workflow;
  return (
    <Link
      to="/workflows/$id"
      params={{ id }}
      search={isOpen ? {} : { step: step.id }}
      replace
      resetScroll={false}
      className={styles.row}
      data-step={step.id}
      aria-current={isOpen ? 'step' : undefined}
      aria-expanded={isOpen}
      activeOptions={{ exact: true, includeSearch: true }}
      activeProps={{}}
    >
      <StepMark status={step.status} />
      <span className={styles.name}>
        {nameOf(step)}
        <span className={styles.people}>
          <StepPeople step={step} fallback={assignedTo ?? createdBy} />
        </span>
      </span>
      <span className={styles.state}>
        {words.states[step.status]}
        {step.completedAt !== undefined && (
          <span className="soft">
            <Time at={step.completedAt} />
          </span>
        )}
      </span>
    </Link>
  );
}
