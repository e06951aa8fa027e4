/** Where the value of a hole in a template comes to stand, and so what is done to it. */
export type Hole =
  /** Between tags. */
  | { kind: 'content' }
  /** In an element that holds text alone. `leads` directly behind the tag, where a parser drops a line feed. */
  | { kind: 'text'; leads: boolean }
  /** In the quoted value of an attribute. */
  | { kind: 'value' }
  /** In an attribute that is an address: `before` what stands between it and the hole or quote before it, `after` the rest when it is the last. */
  | { kind: 'address'; loads: boolean; before: string; after?: string }
  /** Among the attributes of an element. */
  | { kind: 'attributes'; element: string };

/** What may stand in an attribute: any text, an address to go to, an address of what the page loads or sends to; or nothing from outside. */
export type AttributeKind = 'value' | 'link' | 'loaded' | 'never';

const neverFilled = /^(?:on.*|style|srcset|srcdoc|imagesrcset|ping|manifest|background|codebase|classid|archive|http-equiv|xmlns|.*:.*)$/;
const addresses = new Set(['href', 'src', 'action', 'formaction', 'poster', 'data', 'cite']);

/** What an attribute of an element may be filled with. */
export function attributeKind(element: string, name: string): AttributeKind {
  if (neverFilled.test(name)) return 'never';
  if (!addresses.has(name)) return 'value';
  return name === 'cite' || (name === 'href' && (element === 'a' || element === 'area')) ? 'link' : 'loaded';
}

/** Elements whose text is no markup, and may be filled with text. */
const textElements = new Set(['title', 'textarea']);
/** Elements whose text is neither: in a template they are empty. */
const emptyElements = new Set(['script', 'style', 'iframe', 'xmp', 'noembed', 'noframes']);
/** Elements that change what the rest of the page means. */
const refusedElements = new Set(['base', 'plaintext', 'animate', 'animatetransform', 'animatemotion', 'set']);

type State =
  | 'content'
  | 'tag opens'
  | 'end tag opens'
  | 'tag name'
  | 'end tag'
  | 'before attribute'
  | 'attribute name'
  | 'after attribute name'
  | 'before value'
  | 'quoted'
  | 'unquoted'
  | 'after value'
  | 'tag ends'
  | 'declaration'
  | 'comment'
  | 'text element'
  | 'empty element';

const letter = /[a-z]/i;
const space = /[\t\n\f\r ]/;

/**
 * Reads the fixed text of a template as HTML, along the tokenizer of the standard (WHATWG HTML 13.2.5), and stricter: what
 * its parsers would mend, such as a quote in a name, is refused.
 */
class TemplateReader {
  readonly holes: Hole[] = [];
  private state: State = 'content';
  private element = '';
  private attribute = '';
  private quote = '';
  /** What was read since the state, or the hole before, began. */
  private read = '';

  literal(text: string): void {
    for (const character of text) this.next(character);
  }

  hole(): void {
    const { state } = this;
    if (state === 'content') this.holes.push({ kind: 'content' });
    else if (state === 'text element') this.holes.push({ kind: 'text', leads: this.read === '' });
    else if (state === 'quoted') this.holes.push(this.valueHole());
    else if (state === 'before attribute') this.holes.push({ kind: 'attributes', element: this.element });
    else
      this.refuse(
        `a hole may not stand ${state === 'before value' || state === 'unquoted' ? 'in a value without quotes' : `here: ${state}`}`,
      );
    if (state === 'before attribute') this.enter('after value');
    // Behind a hole nothing leads any more.
    this.read = state === 'text element' ? ' ' : '';
  }

  end(): readonly Hole[] {
    if (this.state !== 'content') this.refuse('it ends before its last tag does');
    return this.holes;
  }

  private valueHole(): Hole {
    const kind = attributeKind(this.element, this.attribute);
    if (kind === 'never') this.refuse('nothing is put into this attribute');
    return kind === 'value' ? { kind } : { kind: 'address', loads: kind === 'loaded', before: this.read };
  }

  private refuse(why: string): never {
    throw new Error(`template: <${this.element}> ${this.attribute}: ${why}`);
  }

  private enter(state: State): void {
    this.state = state;
    this.read = '';
  }

  private next(character: string): void {
    switch (this.state) {
      case 'content':
        if (character === '<') this.enter('tag opens');
        return;
      case 'tag opens':
        return this.tagOpens(character);
      case 'end tag opens':
        if (!letter.test(character)) this.refuse('an end tag without a name');
        return this.enter('end tag');
      case 'end tag':
        if (character === '>') this.enter('content');
        else if (!/[\w\s-]/.test(character)) this.refuse('an end tag has a name alone');
        return;
      case 'declaration':
      case 'comment':
        return this.declared(character);
      case 'text element':
      case 'empty element':
        return this.inTextOnly(character);
      default:
        return this.inTag(character);
    }
  }

  private tagOpens(character: string): void {
    this.element = '';
    this.attribute = '';
    if (character === '/') return this.enter('end tag opens');
    if (character === '!') return this.enter('declaration');
    if (character === '?') this.refuse('a processing instruction');
    if (!letter.test(character)) return this.enter('content');
    this.element = character.toLowerCase();
    this.enter('tag name');
  }

  private declared(character: string): void {
    this.read += character;
    if (this.state === 'declaration' && this.read === '--') this.enter('comment');
    else if (this.state === 'declaration' && this.read.startsWith('[')) this.refuse('a section of XML');
    else if (character === '>' && (this.state === 'declaration' || this.read.endsWith('-->'))) this.enter('content');
  }

  private inTextOnly(character: string): void {
    this.read += character;
    const ends = `</${this.element}`;
    if (this.read.toLowerCase().endsWith(ends)) return this.enter('end tag');
    if (this.state === 'empty element' && !ends.startsWith(this.read.toLowerCase())) this.refuse('it is empty in a template');
  }

  private inTag(character: string): void {
    if (this.state === 'quoted') return this.quoted(character);
    if (this.state === 'before value') return this.valueBegins(character);
    if (character === '>') return this.tagEnds();
    if (this.state === 'unquoted') return this.unquoted(character);
    if (space.test(character)) return this.spaceInTag();
    if (character === '/') return this.enter('tag ends');
    if (/["'<=`\0]/.test(character) && !(character === '=' && this.attribute !== '')) this.refuse(`${character} in a name`);
    if (this.state === 'tag name') this.element += character.toLowerCase();
    else if (this.state === 'attribute name') this.named(character);
    else if (this.state === 'after attribute name' && character === '=') this.enter('before value');
    else if (this.state === 'after value' || this.state === 'tag ends') this.refuse('a space is missing between attributes');
    else {
      this.attribute = character.toLowerCase();
      this.enter('attribute name');
    }
  }

  private named(character: string): void {
    if (character === '=') this.enter('before value');
    else this.attribute += character.toLowerCase();
  }

  private spaceInTag(): void {
    if (this.state === 'attribute name') this.enter('after attribute name');
    else if (this.state === 'tag ends') this.refuse('a space behind the slash');
    else if (this.state !== 'after attribute name') {
      this.attribute = '';
      this.enter('before attribute');
    }
  }

  private valueBegins(character: string): void {
    if (space.test(character)) return;
    if (character === '>') this.refuse('an attribute without its value');
    this.quote = character;
    this.enter(character === '"' || character === "'" ? 'quoted' : 'unquoted');
  }

  private quoted(character: string): void {
    if (character !== this.quote) {
      this.read += character;
      return;
    }
    const last = this.holes.at(-1);
    if (last?.kind === 'address' && last.after === undefined) last.after = this.read;
    this.attribute = '';
    this.enter('after value');
  }

  private unquoted(character: string): void {
    if (space.test(character)) this.enter('before attribute');
    else if (/["'<=`]/.test(character)) this.refuse('such a value needs quotes');
  }

  private tagEnds(): void {
    if (refusedElements.has(this.element)) this.refuse('this element is not for templates');
    const kept = emptyElements.has(this.element) ? 'empty element' : 'text element';
    this.enter(emptyElements.has(this.element) || textElements.has(this.element) ? kept : 'content');
  }
}

const plans = new WeakMap<readonly string[], readonly Hole[]>();

/** Where the holes of a template stand. Each template is read once. Throws where a hole stands in a place that no value is safe in. */
export function planOf(strings: readonly string[]): readonly Hole[] {
  const kept = plans.get(strings);
  if (kept) return kept;
  const reader = new TemplateReader();
  for (const [place, text] of strings.entries()) {
    if (place > 0) reader.hole();
    reader.literal(text);
  }
  const plan = reader.end();
  plans.set(strings, plan);
  return plan;
}
