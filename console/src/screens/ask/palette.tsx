import type { JSX, PointerEvent } from 'react';
import { useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import styles from './ask.module.css';
import { type DraftSigner, type FieldKind, fieldKinds, signs } from './draft.ts';
import { FieldIcon } from './field-icon.tsx';
import { askTexts } from './texts.ts';

type PaletteProps = {
  signers: readonly DraftSigner[];
  active: string | undefined;
  hint: string | undefined;
  choose: (key: string) => void;
  /** Places a field, at a point of a page or where there is room on the page in view. */
  place: (kind: FieldKind, at?: { page: number; x: number; y: number }) => void;
};

/** Movement in pixels after which a press is a drag. */
const dragThreshold = 6;

/** The point of a page under the pointer. */
function pageAt(x: number, y: number): { page: number; x: number; y: number } | undefined {
  const section = document.elementsFromPoint(x, y).find((one) => one instanceof HTMLElement && one.dataset.page !== undefined);
  if (!(section instanceof HTMLElement)) return undefined;
  const { left, top } = section.getBoundingClientRect();
  const point = Number.parseFloat(getComputedStyle(section).getPropertyValue('--pt'));
  return { page: Number(section.dataset.page), x: (x - left) / point, y: (y - top) / point };
}

/** The signers and the kinds of fields. A kind is pressed, or dragged to its place. */
export function Palette({ signers, active, hint, choose, place }: PaletteProps): JSX.Element {
  const words = useTexts(askTexts);
  const start = useRef<{ x: number; y: number; isDrag: boolean } | undefined>(undefined);
  const [ghost, setGhost] = useState<{ kind: FieldKind; x: number; y: number }>();
  const dragging = (kind: FieldKind) => ({
    onPointerDown: ({ clientX: x, clientY: y, currentTarget, pointerId }: PointerEvent<HTMLButtonElement>) => {
      start.current = { x, y, isDrag: false };
      currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove: ({ clientX: x, clientY: y }: PointerEvent) => {
      const from = start.current;
      if (!from || (!from.isDrag && Math.hypot(x - from.x, y - from.y) < dragThreshold)) return;
      from.isDrag = true;
      setGhost({ kind, x, y });
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      const at = start.current?.isDrag ? pageAt(clientX, clientY) : undefined;
      setGhost(undefined);
      if (at) place(kind, at);
    },
    onPointerCancel: () => {
      start.current = undefined;
      setGhost(undefined);
    },
    onClick: () => {
      const wasDrag = start.current?.isDrag;
      start.current = undefined;
      if (!wasDrag) place(kind);
    },
  });
  return (
    <div className={styles.palette} role="group" aria-label={words.palette}>
      <div className={styles.owners} role="radiogroup" aria-label={words.fieldFor}>
        {signers.map(
          (signer, at) =>
            signs(signer) && (
              <label key={signer.key} className={styles.owner} data-signer={at % 6} data-checked={signer.key === active || undefined}>
                <input
                  type="radio"
                  name="field-signer"
                  className="apart"
                  checked={signer.key === active}
                  onChange={() => choose(signer.key)}
                />
                <span className={styles.dot} data-signer={at % 6} aria-hidden="true">
                  {at + 1}
                </span>
                {signer.name}
              </label>
            ),
        )}
      </div>
      <div className={styles.kinds}>
        {fieldKinds.map((kind) => (
          <button key={kind} type="button" className={styles.kind} disabled={active === undefined} {...dragging(kind)}>
            <FieldIcon kind={kind} />
            {words.kinds[kind]}
          </button>
        ))}
      </div>
      {hint !== undefined && <p className="soft">{hint}</p>}
      {ghost && (
        <div className={styles.ghost} style={{ left: ghost.x, top: ghost.y }}>
          {words.kinds[ghost.kind]}
        </div>
      )}
    </div>
  );
}
