import { Component, type ReactNode } from 'react';
import { useWords } from '../words.ts';

interface Props {
  /** Another place is drawn anew. */
  place: string;
  children: ReactNode;
}

/** Keeps a page that cannot be drawn from taking the whole console with it: the menu stays, and there is a way on. */
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

/** Instead of an empty page. */
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
