import type { JSX, KeyboardEvent, PointerEvent } from 'react';
import { useRef, useState } from 'react';
import { pdfBox } from '../../parts/pdf/pdf-pages.tsx';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './ask.module.css';
import type { DraftField, DraftSigner, FieldKind } from './draft.ts';
import type { FieldArea } from './geometry.ts';
import { askTexts } from './texts.ts';
import type { LockedField } from './use-placement.ts';

type FieldBoxProps = {
  field: DraftField;
  signer: DraftSigner | undefined;
  /** The position of the signer, for the colour. */
  number: number;
  /** Pixels of a point. */
  scale: number;
  isSelected: boolean;
  isPreview: boolean;
  select: () => void;
  edit: (box: Partial<FieldArea>) => void;
  snap: (box: FieldArea) => FieldArea;
  remove: () => void;
};

const steps: Readonly<Record<string, [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const largeStep = 10;

/** A field on a page. The pointer or the arrow keys move it. */
export function FieldBox({ field, signer, number, scale, isSelected, isPreview, select, edit, snap, remove }: FieldBoxProps): JSX.Element {
  const words = useTexts(askTexts);
  const start = useRef<{ clientX: number; clientY: number; box: FieldArea; isResize: boolean } | undefined>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    select();
    const isResize = (event.target as HTMLElement).dataset.resize !== undefined;
    start.current = { clientX: event.clientX, clientY: event.clientY, box: field, isResize };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = ({ clientX, clientY, altKey }: PointerEvent) => {
    if (!start.current) return;
    const { box, isResize } = start.current;
    const [dx, dy] = [(clientX - start.current.clientX) / scale, (clientY - start.current.clientY) / scale];
    if (isResize) return edit({ width: box.width + dx, height: box.height + dy });
    const moved = { x: box.x + dx, y: box.y + dy, width: box.width, height: box.height };
    edit(altKey ? moved : snap(moved));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step) {
      const by = event.shiftKey ? largeStep : 1;
      edit({ x: field.x + step[0] * by, y: field.y + step[1] * by });
    } else if (event.key === 'Delete' || event.key === 'Backspace') remove();
    else return;
    event.preventDefault();
  };
  const name = signer?.name ?? '';
  return (
    <button
      type="button"
      className={styles.field}
      data-field={field.key}
      data-signer={number % 6}
      data-selected={isSelected || undefined}
      data-preview={isPreview || undefined}
      style={pdfBox(field)}
      aria-pressed={isSelected}
      aria-label={words.fieldAt(words.kinds[field.kind], name, { page: field.page, x: field.x, y: field.y })}
      title={`${words.kinds[field.kind]}: ${name}`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (start.current = undefined)}
      onPointerCancel={() => (start.current = undefined)}
      onFocus={select}
      onKeyDown={onKeyDown}
    >
      {isPreview ? <Sample kind={field.kind} name={name} /> : <FieldName kind={field.kind} number={number} />}
      {isSelected && !isPreview && <span className={styles.resize} data-resize="" />}
    </button>
  );
}

/** A field of the template. It cannot be moved. */
export function LockedBox({
  field,
  signer,
  number,
  isPreview,
}: {
  field: LockedField;
  signer: DraftSigner | undefined;
  number: number;
  isPreview: boolean;
}): JSX.Element {
  const words = useTexts(askTexts);
  const owner = signer?.name ?? words.unassigned(field.signer);
  return (
    <div
      className={styles.field}
      data-locked=""
      data-signer={number === -1 ? undefined : number % 6}
      data-preview={isPreview || undefined}
      style={pdfBox(field)}
      role="img"
      aria-label={words.lockedField(words.kinds[field.kind], owner)}
      title={words.lockedField(words.kinds[field.kind], owner)}
    >
      {isPreview && signer ? <Sample kind={field.kind} name={signer.name} /> : <FieldName kind={field.kind} number={number} />}
    </div>
  );
}

/** The kind of a field, with the number of its signer. */
function FieldName({ kind, number }: { kind: FieldKind; number: number }): JSX.Element {
  const words = useTexts(askTexts);
  return (
    <span className={styles.fieldName} data-number={number !== -1 && kind !== 'checkbox' ? number + 1 : undefined}>
      {kind === 'checkbox' ? <span aria-hidden="true">☐</span> : words.kinds[kind]}
    </span>
  );
}

/** How a field can look after the signature. */
function Sample({ kind, name }: { kind: FieldKind; name: string }): JSX.Element {
  const words = useTexts(askTexts);
  const format = useFormat();
  const [today] = useState(() => new Date());
  const initials = name
    .split(/\s+/)
    .map((part) => Array.from(part)[0] ?? '')
    .join('');
  const texts: Record<FieldKind, string> = {
    signature: name,
    initials,
    name,
    date: format.date(today),
    text: words.sampleText,
    checkbox: '☒',
  };
  const isHand = kind === 'signature' || kind === 'initials';
  return (
    <span className={styles.sample} aria-hidden="true" data-hand={isHand || undefined}>
      {texts[kind]}
    </span>
  );
}
