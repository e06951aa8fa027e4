import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { type FormField, layoutText, type PDF, type PDFForm, PdfName, PdfNumber, PdfString } from '@libpdf/core';
import { Unsealable } from './pdf-sealer.ts';

type TextField = NonNullable<ReturnType<PDFForm['getTextField']>>;
type ListBox = NonNullable<ReturnType<PDFForm['getListBox']>>;
type ValueField = TextField | ListBox;
type Widget = ReturnType<FormField['getWidgets']>[number];
type Font = ReturnType<PDF['embedFont']>;

/** A field with a text value, that text, and the widgets that draw it. */
export type Entry = { field: ValueField; text: string; widgets: Widget[] };

const readOnly = 1;
/** Letters below this size, in points, cannot be read on paper. */
const smallest = 4;
const usual = 12;
const lineHeight = 1.2;
/** The space, in points, that the library leaves at the sides of a field, and above and below its text. */
const room = { side: 6, around: 2 } as const;

/** Read when this is loaded: its process opens nothing of the disk. */
const face = new Uint8Array(
  readFileSync(join(dirname(findPackageJSON('@embedpdf/fonts-latin', import.meta.url) ?? ''), 'fonts/NotoSans-Regular.ttf')),
);

const isValueField = (field: FormField): field is ValueField => field.type === 'text' || field.type === 'listbox';

/** Makes each drop-down list a text field with the chosen text. The library would draw a list without its frame, and cut off its text. */
export function openDropdowns(form: PDFForm): void {
  for (const field of form.getDropdowns()) {
    const chosen = chosenOf(field.getOptions(), [field.getValue()]);
    const dict = field.acroField();
    dict.set('FT', PdfName.of('Tx'));
    dict.set('Ff', PdfNumber.of(field.flags & readOnly));
    dict.set('V', PdfString.fromString(chosen.join('')));
  }
  form.acroForm().clearCache();
  form.reloadFields();
}

/** A field as an entry, where its value is drawn in the open. */
export function entriesOf(field: FormField, isDrawn: (widget: Widget['dict']) => boolean): Entry[] {
  if (!isValueField(field) || (field.type === 'text' && field.isPassword)) return [];
  const widgets = field.getWidgets().filter(({ dict }) => isDrawn(dict));
  const text = field.type === 'text' ? field.getValue() : chosenOf(field.getOptions(), field.getValue()).join('\n');
  return widgets.length === 0 ? [] : [{ field, text: text.trim() === '' ? '' : text, widgets }];
}

/** The texts that a reader shows for the values of a list: the names of its options. */
function chosenOf(options: ReturnType<ListBox['getOptions']>, chosen: readonly string[]): string[] {
  const called = new Map(options.map(({ value, display }) => [value, display]));
  return chosen.map((value) => called.get(value) ?? value);
}

/** Whether a widget has a border or a background of its own. */
export function isFramed(widget: Widget): boolean {
  const look = widget.getAppearanceCharacteristics();
  return look?.borderColor !== undefined || look?.backgroundColor !== undefined;
}

/** Redraws frames and whole values in a font of the service, and embeds it in the file. Throws if the font lacks a letter or the field lacks space. */
export function redraw(pdf: PDF, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  const font = pdf.embedFont(face);
  // The fields end with this: of the font, the file needs the letters that are drawn.
  font.markUsedInForm = () => undefined;
  // Each line is checked here. The library would take another font for a text with a line break in it.
  font.canEncode = () => true;
  for (const { field, text, widgets } of entries) {
    const size = text === '' ? usual : Math.min(...widgets.map((widget) => sizeIn(widget, { field, text, font })));
    field.setFont(font);
    field.setFontSize(size);
    if (field.isReadOnly()) writable(field);
    // The library draws a list only where nothing is drawn yet.
    for (const { dict } of widgets) dict.delete('AP');
  }
  pdf.getForm()?.updateAppearances();
}

/** The library draws no field that may not be changed. */
export function writable(field: FormField): void {
  field.acroField().set('Ff', PdfNumber.of(field.flags & ~readOnly));
}

/** The size of letters in which a field shows its value whole. */
function sizeIn(widget: Widget, { field, text, font }: { field: ValueField; text: string; font: Font }): number {
  const lines = field.type === 'listbox' ? field.getOptions().map(({ display }) => display) : text.split(/\r\n|\r|\n/);
  const odd = lines.flatMap((line) => font.getUnencodableCharacters(line))[0];
  if (odd !== undefined) throw notShown(field, `has “${odd}”, which the service has no letter for`);
  const declaredSize = Number(/([\d.]+)\s+Tf/.exec(field.defaultAppearance ?? '')?.[1] ?? 0);
  for (let size = declaredSize > 0 ? declaredSize : Math.min(usual, Math.max(smallest, widget.height * 0.7)); size >= smallest; size -= 0.5)
    if (fits(widget, { field, text, font, size })) return size;
  throw notShown(field, 'has more text than its place holds');
}

function fits(widget: Widget, { field, text, font, size }: { field: ValueField; text: string; font: Font; size: number }): boolean {
  const width = (line: string) => font.getTextWidth(line, size);
  const [across, along] = turnedSize(widget);
  if (field.type === 'listbox') {
    // The list begins with the first chosen option.
    const options = field.getOptions();
    const chosen = new Set(field.getValue());
    const places = options.flatMap(({ value }, at) => (chosen.has(value) ? [at] : []));
    const [first = 0, last = 0] = [places[0], places.at(-1)];
    if (first > 0) field.acroField().set('TI', PdfNumber.of(first));
    return places.every((at) => width(options[at]?.display ?? '') <= across - room.side) && (last - first + 1) * size * 1.4 <= along;
  }
  if (field.isMultiline) {
    const { lines } = layoutText(text.replaceAll(/\r\n?/g, '\n'), font, size, across - room.side, size * lineHeight);
    return (lines.length + 0.5) * size * lineHeight <= along - room.around;
  }
  if (/[\r\n]/.test(text)) return false;
  if (size * lineHeight > along - room.around) return false;
  if (field.isComb && field.maxLength > 0) return text.length <= field.maxLength;
  return width(text) <= across - room.side;
}

/** Of a field that is turned on its side, what its text has across and along. */
function turnedSize(widget: Widget): [number, number] {
  const turned = Math.abs(widget.getAppearanceCharacteristics()?.rotation ?? 0) % 180 === 90;
  return turned ? [widget.height, widget.width] : [widget.width, widget.height];
}

export const notShown = ({ name }: { name: string }, why: string): Unsealable =>
  new Unsealable(
    'form_value_not_shown',
    `The field “${name}” of the form ${why}. Open the file in a program that shows it, print it as PDF, and send that.`,
  );
