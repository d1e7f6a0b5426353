import { Component, type ReactNode } from 'react';
import { useWords } from '../../../shared/words.ts';

interface Props {
  /** A new place is rendered again after a failure. */
  place: string;
  children: ReactNode;
}

/** Contains the error of a page that cannot be rendered: the menu stays, and other pages can be opened. */
export class Boundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override componentDidUpdate({ place }: Props): void {
    if (place !== this.props.place && this.state.hasFailed) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Stopped /> : this.props.children;
  }
}

/** Shown instead of a page that could not be rendered. */
export function Stopped() {
  const t = useWords();
  return (
    <PageFailure
      text={t(
        'Esta página parou por um erro do console. O que já foi salvo está salvo; o que você digitava nos formulários foi guardado.',
        'This page stopped because of an error of the console. What was saved is saved; what you were typing in forms was kept.',
      )}
      again={t('Abrir de novo', 'Open again')}
    />
  );
}

/** Says why a page cannot be shown, with a button that loads it again. */
export function PageFailure({ text, again }: { text: string; again: string }) {
  return (
    <div role="alert" className="error">
      <p>{text}</p>
      <button type="button" onClick={() => location.reload()}>
        {again}
      </button>
    </div>
  );
}
