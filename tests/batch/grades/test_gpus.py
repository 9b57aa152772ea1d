from grader.batch.grades.gpus import describe_other_gpus, find_other_gpus
from grader.model import Evidence, Run, Submission


def evidence(model, refusal=""):
    device = "gpu" if model.startswith("NVIDIA") else "cpu"
    hardware = {"cuda": model} if model else {}
    return Evidence(Submission("a", "0"), Run(device, "", "", 0, hardware=hardware), (), refusal=refusal)


def test_whoever_was_timed_on_another_model_is_named_with_both_models_in_any_order():
    found = find_other_gpus({"a": evidence("NVIDIA A100"), "b": evidence("NVIDIA H200"), "c": evidence("NVIDIA H200")})
    assert list(found) == ["a"]
    assert "NVIDIA A100" in found["a"]
    assert "NVIDIA H200" in found["a"]
    (said,) = describe_other_gpus(found)
    assert said == "1 hand-in was graded on another GPU model than the rest; the sheet flags them: a"
    models = {"a": evidence("NVIDIA H200"), "b": evidence("NVIDIA A100")}
    assert find_other_gpus(models) == find_other_gpus(dict(reversed(models.items())))


def test_one_model_for_all_or_no_gpu_at_all_is_no_news():
    assert find_other_gpus({key: evidence("NVIDIA H200") for key in "abc"}) == {}
    assert describe_other_gpus({}) == ()
    assert find_other_gpus({key: evidence("CUDA kernels executed on the CPU") for key in "abc"}) == {}


def test_a_gpu_is_the_measure_where_most_ran_without_and_what_was_never_graded_does_not_count():
    found = find_other_gpus({"a": evidence("NVIDIA H200"), "b": evidence("on the CPU"), "c": evidence("on the CPU")})
    assert sorted(found) == ["b", "c"]
    assert "the CPU, without a GPU" in found["b"]
    lost, refused = evidence(""), evidence("on the CPU", refusal="no zip")
    assert find_other_gpus({"a": evidence("NVIDIA H200"), "b": lost, "c": refused}) == {}
