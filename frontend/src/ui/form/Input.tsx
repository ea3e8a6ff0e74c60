import {
  type FocusEvent,
  type HTMLInputAutoCompleteAttribute,
  type HTMLInputTypeAttribute,
  type KeyboardEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import VantInput from 'react-vant/es/input/Input.js';
import type { InputInstance, InputType } from 'react-vant/es/input/PropsType.js';
import type { Described } from './Field';
import { setAttributes } from './set-attributes';

export type InputProps = Described & {
  value: string;
  onChange: (value: string) => void;
  onFocus?: () => void;
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void;
  className?: string;
  type?: HTMLInputTypeAttribute;
  name?: string;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  inputMode?: 'text' | 'numeric' | 'decimal' | 'tel' | 'email' | 'url';
  autoCapitalize?: 'none' | 'sentences' | 'words' | 'characters';
  placeholder?: string;
  maxLength?: number;
  disabled?: boolean;
};

/** An input for one line of text. */
export function Input({ type = 'text', autoComplete, inputMode, ...rest }: InputProps) {
  const { id, 'aria-invalid': invalid, 'aria-describedby': describedBy, ...props } = rest;
  const input = useRef<InputInstance>(null);
  // A name, a code or a password that is shown is no prose: nobody corrects it, or looks it up.
  const verbatim = /none|characters/.test(props.autoCapitalize ?? '');
  // react-vant's hands on none of these.
  useLayoutEffect(() =>
    setAttributes(input.current?.nativeElement, {
      id,
      // Arabic and Hebrew are typed from the right.
      dir: 'auto',
      'aria-invalid': invalid,
      'aria-describedby': describedBy,
      autocomplete: autoComplete,
      inputmode: inputMode,
      autocorrect: verbatim ? 'off' : undefined,
      spellcheck: verbatim ? 'false' : undefined,
    }),
  );
  return <VantInput {...props} ref={input} type={type as InputType} onKeyPress={submit} />;
}

/** react-vant's keeps Enter from sending the form. A disabled button still does. */
function submit({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) {
  if (key !== 'Enter') return;
  currentTarget.form?.querySelector<HTMLButtonElement>('[type="submit"]')?.click();
}
