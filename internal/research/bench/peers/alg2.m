% Algorithm 2 of the paper as written, in Octave: a full eigen-decomposition of
% the chosen block in every step. The start, Go on A_m by a full decomposition of
% A, is computed once and timed apart.
%
% usage: octave-cli alg2.m D M K1 K2 ... with A's .npy file named in ALG2_FILE
args = argv();
d = str2double(args{1}); m = str2double(args{2});
f = fopen(getenv("ALG2_FILE"), "r"); fseek(f, 128); a = fread(f, [d d], "double"); fclose(f);
tic; [u, l] = eig(a); [l, o] = sort(diag(l), "descend");
scores = (u(:, o(1:m)) .^ 2) * l(1:m);
clear u;
[~, order] = sort(scores, "descend");
start = toc;
for i = 3:numel(args)
  k = str2double(args{i});
  support = sort(order(1:k));
  tic;
  steps = 0;
  while true
    [v, g] = eig(a(support, support)); [~, o] = sort(diag(g), "descend");
    v = v(:, o(1:m));
    z = a(:, support) * v;
    [~, o] = sort(sum((z * pinv(v' * z(support, :))) .* z, 2), "descend");
    chosen = sort(o(1:k)); steps += 1;
    if isequal(chosen, support) || steps == 20, break, end
    support = chosen;
  end
  printf("{\"k\": %d, \"seconds\": %.4f, \"start\": %.4f, \"steps\": %d}\n", k, toc, start, steps);
  fflush(stdout);
end
