import { Button } from '@mantine/core';
import type { Workflow } from '@chancery/client';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { Name } from '../../parts/name.tsx';
import { useOutcomes } from '../../parts/outcomes.ts';
import { RoundView, useRound } from '../../parts/round-view.tsx';
import { Time } from '../../parts/time.tsx';
import { useStepWords, type WorkflowStep } from '../../parts/workflow/step-words.tsx';
import { ApiProblem } from '../../problems/api-problem.ts';
import { useProblemText } from '../../problems/problem-text.ts';
import { useClaims } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import { workflowTexts } from './texts.ts';
import { isLate, useWorkflowTasks, type WorkflowTask } from './workflow-data.ts';
import styles from './workflows.module.css';

type OfStep = { workflow: Workflow; step: WorkflowStep };

/** The question, the people and the outcome of a step. */
export function StepDetails({ workflow, step }: OfStep): JSX.Element {
  const words = useTexts(workflowTexts);
  const { nameOf, typeOf } = useStepWords();
  const { result } = useOutcomes();
  const { data: all = [] } = useWorkflowTasks(workflow.id);
  const details = useRef<HTMLDivElement>(null);
  // A click in the diagram opens a step below it, which can be out of sight.
  useEffect(() => {
    details.current?.closest('li')?.scrollIntoView({ block: 'nearest' });
  }, []);
  const tasks = all.filter(({ stepId }) => stepId === step.id);
  const rounds = [...new Set(tasks.flatMap(({ roundId }) => roundId ?? []))];
  const earlier = step.dependsOn.map((id) => workflow.steps.find((one) => one.id === id)).filter((one) => one !== undefined);
  const facts: [label: string, value: ReactNode][] = [
    [words.kind, typeOf(step.type)],
    ...(step.outcome === undefined || step.status === 'failed' ? [] : [[words.outcome, result(step.outcome)] as [string, ReactNode]]),
    ...(step.startedAt === undefined ? [] : [[words.begun, <Time key="begun" at={step.startedAt} exact />] as [string, ReactNode]]),
    ...(step.completedAt === undefined ? [] : [[words.endedAt, <Time key="ended" at={step.completedAt} exact />] as [string, ReactNode]]),
    ...(step.status === 'pending' && earlier.length > 0
      ? [[words.after, earlier.map((one) => nameOf(one)).join(', ')] as [string, ReactNode]]
      : []),
    ...(step.status === 'pending' && step.dueInDays !== undefined
      ? [[words.term, words.dueIn(step.dueInDays)] as [string, ReactNode]]
      : []),
    ...((step.assignees?.length ?? 0) > 1 && rounds.length === 0 ? [[words.needs, words.modes[step.mode]] as [string, ReactNode]] : []),
  ];
  return (
    <div className={styles.details} ref={details}>
      {step.description !== undefined && <p className={styles.text}>{step.description}</p>}
      {step.config?.when !== undefined && step.status === 'pending' && <p className="soft">{words.conditional}</p>}
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {step.status === 'failed' && <Failure step={step} tasks={tasks} />}
      {step.requestId !== undefined && (
        <p>
          <Link to="/signatures/$id" params={{ id: step.requestId }}>
            {words.openRequest}
          </Link>
        </p>
      )}
      {rounds.map((id) => (
        <RoundOfStep key={id} id={id} />
      ))}
      {tasks.length > 0 && (
        <ul className={styles.tasks} aria-label={words.tasks}>
          {tasks.map((task) => (
            <TaskRow key={task.id} task={task} />
          ))}
        </ul>
      )}
      {tasks.length === 0 && step.taskIds.length > 0 && <p className="soft">{words.hiddenTasks}</p>}
    </div>
  );
}

function RoundOfStep({ id }: { id: string }): JSX.Element | null {
  const { data: round } = useRound(id);
  return round ? <RoundView round={round} /> : null;
}

/** A task with its person, and its outcome or the way to it. */
function TaskRow({ task }: { task: WorkflowTask }): JSX.Element {
  const words = useTexts(workflowTexts);
  const { result } = useOutcomes();
  const { id, status, assignedTo, assignedGroupId, outcome, completedBy, completedAt, onBehalfOf, dueDate, comment, title } = task;
  const isOpen = status === 'open';
  return (
    <li>
      <div className={styles.grow}>
        <p>
          <Link to="/tasks/$id" params={{ id }}>
            {title}
          </Link>
        </p>
        <p className="soft">
          <Name id={completedBy ?? assignedTo ?? assignedGroupId} />
          {onBehalfOf !== undefined && (
            <>
              {' '}
              {words.onBehalfOf} <Name id={onBehalfOf} />
            </>
          )}
          {' · '}
          {isOpen ? words.open : status === 'cancelled' || outcome === undefined ? words.cancelledTask : result(outcome)}
          {completedAt !== undefined && (
            <>
              {' '}
              <Time at={completedAt} />
            </>
          )}
          {isOpen && dueDate !== undefined && (
            <span className={isLate(task) ? styles.wrong : undefined}>
              {' · '}
              {words.dueAt} <Time at={dueDate} />
            </span>
          )}
        </p>
        {comment !== undefined && <blockquote className={styles.quote}>{comment}</blockquote>}
      </div>
    </li>
  );
}

/** Why a step failed. A task asks a person how the workflow goes on. */
function Failure({ step: { detail, outcome }, tasks }: { step: WorkflowStep; tasks: readonly WorkflowTask[] }): JSX.Element {
  const words = useTexts(workflowTexts);
  const { sub } = useClaims();
  const failures: Readonly<Record<string, string>> = words.failures;
  const code = outcome ?? '';
  // Other codes are those of problems.
  const meaning = useProblemText(new ApiProblem(new Response(null, { status: 422 }), { code, detail: detail ?? '' }));
  const asks = tasks.find(({ type, status }) => type.startsWith('failed_') && status === 'open');
  return (
    <div className={styles.failure} role="note">
      <p>
        <strong>{words.stepFailed}</strong>
      </p>
      <p>{failures[code] ?? meaning}</p>
      {detail !== undefined && (
        <details>
          <summary>{words.technical}</summary>
          <p>{detail}</p>
        </details>
      )}
      {asks !== undefined &&
        (asks.assignedTo === sub ? (
          <p>
            <Button renderRoot={(props) => <Link {...props} to="/tasks/$id" params={{ id: asks.id }} />} size="xs">
              {words.decideFailure}
            </Button>
          </p>
        ) : (
          <p>
            {words.decides} <Name id={asks.assignedTo} />
          </p>
        ))}
    </div>
  );
}
