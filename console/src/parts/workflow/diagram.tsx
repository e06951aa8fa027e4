import type { Workflow } from '@chancery/client';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useId, useMemo } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { box, curveOf, layoutOf } from './graph.ts';
import { StepMark } from './step-list.tsx';
import { isDone, useStepWords } from './step-words.tsx';
import { stepTexts } from './texts.ts';
import styles from './workflow.module.css';

/** The steps of a workflow from left to right, with an arrow to each that follows. A narrow screen has the list of steps alone. */
export function Diagram({ workflow, selected }: { workflow: Workflow; selected?: string | undefined }): JSX.Element {
  const words = useTexts(stepTexts);
  const { nameOf, typeOf } = useStepWords();
  const head = useId();
  const { id, name, steps } = workflow;
  const layout = useMemo(() => layoutOf(steps), [steps]);
  return (
    <div className={styles.diagram} dir="ltr">
      <svg width={layout.width} height={layout.height} role="group" aria-label={words.diagram(name)}>
        <defs>
          <marker id={head} viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">
            <path d="M0 0L8 4L0 8z" className={styles.head} />
          </marker>
        </defs>
        {layout.arrows.map(({ from, to, points }) => {
          const start = steps[from];
          return (
            <path
              key={`${from} ${to}`}
              d={curveOf(points)}
              className={styles.arrow}
              data-done={(start !== undefined && isDone(start)) || undefined}
              markerEnd={`url(#${head})`}
            />
          );
        })}
        {steps.map((step, at) => (
          <Link
            key={step.id}
            to="/workflows/$id"
            params={{ id }}
            search={{ step: step.id }}
            replace
            resetScroll={false}
            className={styles.node}
            aria-current={step.id === selected ? 'step' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
            activeProps={{}}
          >
            <foreignObject x={layout.boxes[at]?.x} y={layout.boxes[at]?.y} width={box.width} height={box.height}>
              <span className={styles.box} data-status={step.status} title={nameOf(step)}>
                <span className={styles.boxName} dir="auto">
                  {nameOf(step)}
                </span>
                <span className={styles.boxState}>
                  <StepMark status={step.status} />
                  {words.states[step.status]} · {typeOf(step.type)}
                </span>
              </span>
            </foreignObject>
          </Link>
        ))}
      </svg>
    </div>
  );
}
