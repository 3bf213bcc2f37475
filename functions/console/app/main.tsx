import './styles.css';
import { render } from 'preact';
import { arrive } from './session.ts';
import { App } from './shell.tsx';

const page = document.getElementById('app');
if (page) {
  render(<App />, page);
  void arrive();
}
